// Elements, made in one expression: h('p.note', { title: 'why' }, 'text', h('b', {}, 'bold')).

export type Child = Node | string | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function h(name: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const [tag, ...classes] = name.split('.');
  const out = document.createElement(tag || 'div');
  if (classes.length > 0) out.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') out.addEventListener(key, value);
    else if (value !== false) out.setAttribute(key, value === true ? '' : String(value));
  }
  append(out, children);
  return out;
}

function append(to: HTMLElement, children: Child[]): void {
  for (const it of children) {
    if (Array.isArray(it)) append(to, it);
    else if (it) to.append(it);
  }
}

/** A part that can be folded; open at first if `open`. */
export function fold(title: Child, open: boolean, ...children: Child[]): HTMLElement {
  return h('details.fold', { open }, h('summary', {}, title), ...children);
}

/** Text with blank lines as paragraphs, lists and `code` as such. */
export function prose(text: string): HTMLElement[] {
  return text.trim().split(/\n\n+/).map((block) => {
    if (!block.startsWith('- ')) return h('p', {}, ...inline(block));
    return h('ul', {}, ...block.slice(2).split(/\n- /).map((item) => h('li', {}, ...inline(item))));
  });
}

function inline(text: string): Child[] {
  return text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? h('code', {}, part.slice(1, -1)) : part));
}

export function time(ms: number): string {
  return ms < 1 ? `${ms.toFixed(2)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
