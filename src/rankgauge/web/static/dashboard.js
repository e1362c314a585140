(() => {
  const one = (selector, inside = document) => inside.querySelector(selector);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

  // a form that shows something else shows it in place, and in the address: without scripts it loads the page
  let asked = null;
  const swap = async (form) => {
    const place = one(form.dataset.swap);
    const words = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...words]) if (value === "") words.delete(name);
    const address = location.pathname + "?" + words;
    if (asked) asked.abort();
    asked = new AbortController();
    place.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { signal: asked.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = one(form.dataset.swap, page);
      if (!answer.ok || !found) throw new Error("not as expected");
      place.replaceWith(found);
      history.replaceState(null, "", address);
    } catch (error) {
      if (error.name === "AbortError") return;
      location.assign(address);
    }
  };
  all("form[data-swap]").forEach((form) => {
    let wait = 0;
    form.addEventListener("submit", (event) => { event.preventDefault(); swap(form); });
    form.addEventListener("change", (event) => {
      if (event.target.name === "project" || event.target.name === "entry") form.removeAttribute("data-swap"), form.submit();
      else swap(form);
    });
    all("input[type=search]", form).forEach((input) => input.addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => swap(form), 200);
    }));
  });

  // at most two can be compared
  document.addEventListener("change", (event) => {
    if (event.target.name !== "entry" || event.target.type !== "checkbox") return;
    const boxes = all("input[type=checkbox][name=entry]");
    const full = boxes.filter((b) => b.checked).length >= 2;
    boxes.forEach((b) => { b.disabled = full && !b.checked; });
  });

  // work that is under way tells where it is; when it is done the page is loaded again
  const steps = one("[data-job]");
  if (steps && steps.dataset.state === "running" && window.EventSource) {
    const stream = new EventSource("/jobs/" + steps.dataset.job + "/events");
    let said = 0;
    stream.addEventListener("step", (event) => {
      said += 1;
      if (said <= steps.children.length) return;
      const line = document.createElement("li");
      line.textContent = JSON.parse(event.data);
      steps.append(line);
    });
    stream.addEventListener("end", () => { stream.close(); location.reload(); });
    let failed = 0;
    stream.addEventListener("error", () => {
      failed += 1;
      if (failed > 3) { stream.close(); setTimeout(() => location.reload(), 2000); }
    });
  } else if (steps && steps.dataset.state === "running") setTimeout(() => location.reload(), 2000);

  // files can be dropped
  all(".drop").forEach((field) => {
    const input = one("input[type=file]", field);
    field.addEventListener("dragover", (event) => { event.preventDefault(); field.classList.add("over"); });
    field.addEventListener("dragleave", () => field.classList.remove("over"));
    field.addEventListener("drop", (event) => {
      event.preventDefault();
      field.classList.remove("over");
      if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
    });
  });

  // keys
  const pages = { o: "/", t: "/trend", e: "/entries", q: "/queries", a: "/alerts", u: "/upload", m: "/measures", s: "/settings" };
  let going = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest && event.target.closest("input,select,textarea")) return;
    if (event.key === "/") {
      const search = one("input[type=search]");
      if (search) { event.preventDefault(); search.focus(); }
    } else if (event.key === "[" || event.key === "]") {
      const link = one(event.key === "[" ? "a[rel=prev]" : "a[rel=next]");
      if (link) link.click();
    } else if (event.key === "g") going = Date.now();
    else if (Date.now() - going < 1500 && pages[event.key]) location.assign(pages[event.key]);
  });
})();
