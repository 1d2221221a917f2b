// Merge new markup into the page: what stays keeps its element, so that focus, scrolling and transitions survive.

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.id : "");

function mergeAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "class") old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (!fresh.hasAttribute("class") && old.classList.length) old.removeAttribute("class");
}

function mergeNode(old, fresh, notes) {
  if (old.nodeType === Node.ELEMENT_NODE) {
    const ticking = old.hasAttribute("data-tick") && old.textContent !== fresh.textContent;
    mergeAttributes(old, fresh);
    mergeChildren(old, fresh, notes);
    if (ticking) notes.changed.push(old);
  } else if (old.nodeValue !== fresh.nodeValue) {
    old.nodeValue = fresh.nodeValue;
  }
}

const isSame = (old, fresh) => old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);

function mergeChildren(parent, wanted, notes) {
  const byKey = new Map([...parent.childNodes].filter(keyOf).map((node) => [keyOf(node), node]));
  let here = parent.firstChild;
  for (const fresh of [...wanted.childNodes]) {
    const known = byKey.get(keyOf(fresh));
    if (known && known.nodeName === fresh.nodeName) {
      if (known === here) here = here.nextSibling;
      else parent.insertBefore(known, here);
      mergeNode(known, fresh, notes);
    } else if (here && isSame(here, fresh)) {
      const next = here.nextSibling;
      mergeNode(here, fresh, notes);
      here = next;
    } else {
      parent.insertBefore(fresh, here);
      if (keyOf(fresh)) notes.arrived.push(fresh);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

/** Make `parent` hold what `html` says; gives the elements whose number changed and those that are new. */
export function morph(parent, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const notes = { changed: [], arrived: [] };
  mergeChildren(parent, template.content, notes);
  return notes;
}
