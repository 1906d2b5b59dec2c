// Graphs in the page, drawn when they are looked at and kept.

import { h } from './dom';

type Draw = (dot: string) => Promise<SVGSVGElement>;

const drawn = new Map<string, SVGSVGElement>();

export class Graph {
  readonly element = h('div.graph', {});
  private wanted = '';

  async show(dot: string, label: string): Promise<void> {
    this.wanted = dot;
    const draw = (globalThis as { concordDraw?: Draw }).concordDraw;
    if (draw === undefined || dot === '') return this.element.replaceChildren();
    let svg = drawn.get(dot);
    if (svg === undefined) {
      svg = await draw(dot);
      svg.setAttribute('role', 'img');
      svg.setAttribute('aria-label', label);
      drawn.set(dot, svg);
    }
    if (this.wanted === dot) this.element.replaceChildren(svg.cloneNode(true));
  }

  /** Marks the nodes with these names. */
  mark(names: string[]): void {
    for (const node of this.element.querySelectorAll('g.node')) {
      node.classList.toggle('possible', names.includes(node.querySelector('title')?.textContent ?? ''));
    }
  }
}

export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
