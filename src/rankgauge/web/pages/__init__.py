"""The screens of the dashboard, one module each: a function asks the library and names a template."""
