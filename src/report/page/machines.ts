// Abstract threads as state machines; at a step of a run, with the nodes where each may be.

import type { App } from './app';
import type { Machine, Situation } from './data';
import { h } from './dom';
import { Graph, quoted } from './draw';

const MOST_LETTERS = 60;

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

function dot(machine: Machine): string {
  const nodes = machine.nodes.map((it) => {
    const label = it.assertion === '' ? it.name : `${it.name}\nassert ${shortened(it.assertion)}`;
    return `  ${quoted(it.name)} [label=${quoted(label).replaceAll('\n', '\\n')}, peripheries=${it.isInitial ? 2 : 1}];`;
  });
  const edges = machine.edges.map((it) =>
    `  ${quoted(machine.nodes[it.from].name)} -> ${quoted(machine.nodes[it.to].name)} [label=${quoted(` ${shortened(it.text)} `)}];`);
  return `digraph ${quoted(machine.name)} {\n  node [shape=box, style=rounded];\n${[...nodes, ...edges].join('\n')}\n}`;
}

export function machinesView(app: App): HTMLElement {
  return h('section', {}, h('h2', {}, 'State machines'),
    h('p.quiet', {}, 'The abstract threads. A double border: it may begin there.'),
    ...app.data.machines.map((it) => {
      const graph = new Graph();
      void graph.show(dot(it), `state machine ${it.name}`);
      return h('figure', {}, h('figcaption', {}, it.name), graph.element,
        h('table.edges', {}, ...it.edges.map((edge) => h('tr', { click: () => app.pointTo(edge.at) },
          h('th', {}, `${it.nodes[edge.from].name} → ${it.nodes[edge.to].name}`), h('td', {}, h('code', {}, edge.text))))));
    }));
}

type Following = Situation['followers'][number];

/** Beside a run: for each thread that follows a machine, where it may be. */
export class Followers {
  readonly element = h('section.followers', { 'aria-label': 'Abstract threads at this step' });
  private readonly graphs = new Map<string, { graph: Graph; caption: HTMLElement }>();
  private readonly all = new Map<string, Following>();

  constructor(private readonly app: App, situations: Situation[]) {
    for (const it of situations.flatMap(({ followers }) => followers)) {
      if (this.all.has(it.thread)) continue;
      this.all.set(it.thread, it);
      const graph = new Graph();
      const caption = h('figcaption', {});
      this.graphs.set(it.thread, { graph, caption });
      this.element.append(h('figure', {}, caption, graph.element));
    }
  }

  async show(now: Situation): Promise<void> {
    for (const { thread, machine } of this.all.values()) {
      const drawn = this.app.data.machines.find((candidate) => candidate.name === machine);
      if (drawn === undefined) continue;
      const { graph, caption } = this.graphs.get(thread)!;
      const nodes = now.followers.find((it) => it.thread === thread)?.nodes;
      const where = nodes === undefined ? 'not followed here' : nodes.length === 0 ? 'nowhere' : `at ${nodes.join(', ')}`;
      caption.replaceChildren(h('b', {}, thread), ` as ${machine}: ${where}`);
      await graph.show(dot(drawn), `${thread} as ${machine}`);
      graph.mark(nodes ?? []);
    }
  }
}
