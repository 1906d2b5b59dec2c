// What is the case at a step: variables, locks, what each thread knows, and the heap. What the step changed stands out.

import type { Situation, Values } from './data';
import { type Child, h } from './dom';
import type { LockColours } from './lanes';

export function isEmpty(it: Situation): boolean {
  return it.shared.length + it.heap.length + it.locals.length === 0;
}

export class SituationPanel {
  readonly element = h('section.situation', { 'aria-label': 'Values at this step' });

  constructor(private readonly locks: LockColours) {}

  show(now: Situation, before: Situation): void {
    const heapBefore = new Map(before.heap.map((it) => [it.name, it.fields]));
    const localsBefore = new Map(before.locals.map((it) => [it.thread + it.procedure, it.values]));
    this.element.replaceChildren(
      ...this.group('Shared', now.shared.length > 0 && [this.table(now.shared, before.shared)]),
      ...this.group('Locks', now.held.length > 0 && [h('ul.held', {}, ...now.held.map(([lock, thread]) =>
        h('li', {}, h('i.lock', { style: `background:${this.locks.of(lock)}` }), h('code', {}, lock), ` held by ${thread}`)))]),
      ...this.group('Threads', now.locals.length > 0 && now.locals.map((it) =>
        h('div.object', {}, h('h4', {}, it.thread, h('small', {}, ` in ${it.procedure}`)), this.table(it.values, localsBefore.get(it.thread + it.procedure))))),
      ...this.group('Heap', now.heap.length > 0 && now.heap.map((it) =>
        h('div.object', { id: `object-${it.name}` }, h('h4', {}, it.name, !heapBefore.has(it.name) && h('small.new', {}, ' new')),
          this.table(it.fields, heapBefore.get(it.name))))),
    );
  }

  private group(title: string, children: HTMLElement[] | false): HTMLElement[] {
    return children ? [h('div.group', {}, h('h3', {}, title), h('div.items', {}, ...children))] : [];
  }

  private table(values: Values, before: Values = []): HTMLElement {
    const old = new Map(before);
    return h('table.values', {}, ...values.map(([name, value]) => {
      const isChanged = old.has(name) && old.get(name) !== value;
      return h(`tr${isChanged ? '.changed' : ''}`, { title: isChanged ? `before: ${old.get(name)}` : '' },
        h('th', {}, name), h('td', {}, ...this.value(value)));
    }));
  }

  /** References lead to their object. */
  private value(text: string): Child[] {
    return text.split(/(\b\w+@\d+\b)/).map((part) => (/^\w+@\d+$/.test(part) ? h('button.link', { type: 'button', click: () => this.flash(part) }, part) : part));
  }

  private flash(object: string): void {
    const found = document.getElementById(`object-${object}`);
    found?.scrollIntoView({ block: 'nearest' });
    found?.animate([{ outline: '2px solid var(--accent)' }, { outline: '2px solid transparent' }], 1200);
  }
}
