// Headings of sortable tables in an element become buttons; what has no key comes last either way.
function makeSortable(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const keyOf = (row, column) => {
      const cell = row.cells[column];
      return cell.dataset.key ?? cell.textContent.toLowerCase();
    };
    heads.forEach((head, column) => {
      if (head.classList.contains("d")) return;
      const isNumber = head.classList.contains("n");
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const order = head.getAttribute("aria-sort");
        const down = order === null ? isNumber : order === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const compare = (one, other) => {
          const [a, b] = [keyOf(one, column), keyOf(other, column)];
          if (a === "" || b === "") return (a === "") - (b === "");
          const order = isNumber ? Number(a) - Number(b) : a.localeCompare(b);
          return down ? -order : order;
        };
        body.append(...[...body.rows].sort(compare));
      });
    });
  }
}
makeSortable(document);
