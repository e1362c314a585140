(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

  // the address keeps the language, so that a link can be passed on
  const speak = (language) => {
    root.dataset.language = root.lang = language;
    all("[data-speak]").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.speak === language)));
    all("[data-hint-en]").forEach((e) => { e.placeholder = e.getAttribute("data-hint-" + language); });
    const title = document.querySelector("title");
    document.title = title.getAttribute("data-" + language) || document.title;
  };
  all("[data-speak]").forEach((b) => b.addEventListener("click", () => speak(b.dataset.speak)));
  const asked = new URLSearchParams(location.search).get("language");
  if (asked === "en" || asked === "zh") speak(asked);

  const themes = ["auto", "light", "dark"];
  const themed = document.querySelector("[data-theme-switch]");
  if (themed) themed.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "auto") + 1) % 3];
    root.dataset.theme = next;
    themed.textContent = { auto: "◐", light: "☀", dark: "☾" }[next];
    themed.setAttribute("aria-label", "theme: " + next);
  });

  // tables: a heading sorts, empty values last
  const value = (row, i) => {
    const cell = row.cells[i];
    const v = cell.dataset.v;
    return v === undefined ? cell.textContent.trim() : v === "" ? null : Number(v);
  };
  all("table[data-sort]").forEach((table) => {
    all("thead th", table).forEach((th, i) => {
      const button = th.querySelector("button");
      if (!button) return;
      button.addEventListener("click", () => {
        const down = th.getAttribute("aria-sort") !== "descending" && th.dataset.first !== "up"
          || th.getAttribute("aria-sort") === "ascending";
        all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const sign = down ? -1 : 1;
        const rows = [...body.rows].map((row) => [value(row, i), row]);
        rows.sort(([a], [b]) => {
          if (a === null || b === null) return (a === null) - (b === null);
          return sign * (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }));
        });
        body.append(...rows.map(([, row]) => row));
      });
    });
  });

  all("[data-search]").forEach((input) => {
    const table = document.getElementById(input.dataset.search);
    const told = document.getElementById(input.dataset.search + "-found");
    const texts = [...table.tBodies[0].rows].map((row) => [row, row.textContent.toLowerCase()]);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase().split(/\s+/);
      let n = 0;
      for (const [row, text] of texts) {
        row.hidden = !wanted.every((word) => text.includes(word));
        n += !row.hidden;
      }
      told.textContent = input.value.trim() ? n + " / " + texts.length : "";
    });
  });

  // one query at a time
  const queries = all("details.query");
  const open = (id, scroll) => {
    const wanted = queries.find((d) => d.id === id);
    if (!wanted) return;
    queries.forEach((d) => { d.open = d === wanted; });
    all("tr.on").forEach((row) => row.classList.remove("on"));
    all("tr[data-query]").forEach((row) => row.classList.toggle("on", row.dataset.query === id));
    if (scroll) wanted.scrollIntoView({ block: "start" });
  };
  const follow = () => open(decodeURIComponent(location.hash.slice(1)), true);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#q-"], svg a');
    const href = link && (link.getAttribute("href") || "");
    if (href && href.startsWith("#q-") && href === location.hash) follow();
  });
  if (location.hash.startsWith("#q-")) follow();
  else if (queries.length) open(queries[0].id, false);

  // which screen is in view
  const links = all(".top nav a");
  const seen = new IntersectionObserver((entries) => entries.forEach((e) => {
    if (!e.isIntersecting) return;
    links.forEach((a) => {
      if (a.getAttribute("href") === "#" + e.target.id) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    });
  }), { rootMargin: "-30% 0px -60% 0px" });
  all("main > section").forEach((s) => seen.observe(s));
})();
