"""The screens of a page. Each module has `NAME` and `screen(story)`: the context of its template, or None."""
