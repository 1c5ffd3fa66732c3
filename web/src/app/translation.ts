/** The texts that a translating browser took out of the page, by the element it put there instead; and the reverse. */
const textsByStandIn = new WeakMap<Element, readonly Text[]>();
const standInByText = new WeakMap<Node, Element>();

const isStandIn = (node: Node | null): node is Element => node?.nodeName === 'FONT';

/**
 * Keeps React right in a page that the browser translates. Translators replace each text, or some in a row, by a
 * `<font>` with other words. React does not know: it goes on changing texts that nobody sees, so that an old total
 * stays on the screen, and fails on removing or inserting beside what is not there any more (facebook/react#11538).
 *
 * From the first `<font>` on, a text is put back just before React touches it; the translator sees new words and
 * translates them. Pages that nobody translates only have an observer more.
 */
export function patchForTranslation(page: Document): void {
  let patched = false;
  new MutationObserver((records) => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes].filter(isStandIn)));
    if (added.size === 0) return;
    if (!patched) patchDomMethods();
    patched = true;
    for (const record of records) recordReplacement(record, added);
  }).observe(page, { childList: true, subtree: true });
}

/** @param added the stand-ins that came together with this change; beside an older one, React removed the text itself */
function recordReplacement(record: MutationRecord, added: ReadonlySet<Element>): void {
  const { target, addedNodes, removedNodes, previousSibling, nextSibling } = record;
  if (isStandIn(target)) return;
  const around = [...addedNodes, previousSibling, nextSibling].filter(isStandIn);
  const standIn = around.find((one) => added.has(one));
  if (standIn === undefined) return;
  for (const text of removedNodes) {
    if (!(text instanceof Text) || text.isConnected) continue;
    standInByText.set(text, standIn);
    textsByStandIn.set(standIn, [...(textsByStandIn.get(standIn) ?? []), text]);
  }
}

const { removeChild, insertBefore } = Node.prototype;

/** Puts a text where its stand-in is, and with it those that were replaced together. */
function restoreText(node: Node | null): void {
  if (!(node instanceof Text)) return;
  let standIn = standInByText.get(node);
  const texts = (standIn && textsByStandIn.get(standIn)) ?? [node];
  // Some translators keep the text, inside of their own element.
  for (let up: Node | null = node.parentNode; isStandIn(up); up = up.parentNode) standIn = up;
  const parent = standIn?.parentNode;
  if (standIn === undefined || !parent) return;
  for (const text of texts) {
    insertBefore.call(parent, text, standIn);
    standInByText.delete(text);
  }
  removeChild.call(parent, standIn);
}

function patchDomMethods(): void {
  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    if (child.parentNode !== this) restoreText(child);
    // Where the translator left no trace of a text, its words may stay, but the page does not break.
    return child.parentNode === this ? (removeChild.call(this, child) as T) : child;
  };
  Node.prototype.insertBefore = function <T extends Node>(node: T, before: Node | null): T {
    if (before !== null && before.parentNode !== this) restoreText(before);
    const place = before?.parentNode === this ? before : null;
    return insertBefore.call(this, node, place) as T;
  };
  Object.defineProperty(Text.prototype, 'nodeValue', {
    configurable: true,
    get(this: Text) {
      return this.data;
    },
    set(this: Text, value: string | null) {
      restoreText(this);
      this.data = value ?? '';
    },
  });
}
