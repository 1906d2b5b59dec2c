// A run as swim lanes: a column per thread, a row per step, the locks that each thread holds as bars beside its lane.

import type { App } from './app';
import type { Finding, Values } from './data';
import { h } from './dom';

export function valuesText(values: Values): string {
  return values.map(([name, value]) => `${name} = ${value}`).join(', ');
}

// Of other kinds the place of the claim says nothing: the declaration of a thread, of a variable.
const CLAUSES = ['assertion', 'invariant', 'env-assumption', 'guarantee', 'abstraction-step', 'precondition', 'postcondition', 'loop-invariant',
  'lock-order', 'guarded-by', 'final-state', 'conformance'];

function broken({ kind, text, message }: Finding): string {
  return CLAUSES.includes(kind) && text !== '' ? `breaks: ${text}` : message;
}

/** The same lock has the same colour everywhere. */
export class LockColours {
  private readonly order: string[] = [];
  of(lock: string): string {
    if (!this.order.includes(lock)) this.order.push(lock);
    return `var(--lock-${this.order.indexOf(lock) % 6})`;
  }
}

export class Lanes {
  readonly element: HTMLElement;
  private readonly rows: HTMLElement[] = [];

  constructor(private readonly app: App, private readonly finding: Finding, private readonly locks: LockColours) {
    const { trace } = finding;
    const moving = trace.threads.filter((it) => trace.steps.some((step) => step.thread === it));
    const idle = trace.threads.filter((it) => !moving.includes(it));
    const head = h('tr', {}, h('th.number', {}, 'step'), h('th.number', {}, 'line'), ...moving.map((it) => h('th.lane', {}, it)), h('th', {}, 'changes'));
    const body = h('tbody', {});
    this.rows.push(this.begin(moving));
    trace.steps.forEach((_, index) => this.rows.push(this.step(index, moving)));
    body.append(...this.rows);
    this.element = h('div.lanes', {}, h('table', {}, h('thead', {}, head), body));
    if (idle.length > 0) this.element.append(h('p.quiet', {}, `no step of ${idle.join(', ')}`));
    if (trace.ending.length > 0) this.element.append(this.ending());
  }

  show(step: number): void {
    this.rows.forEach((row, index) => {
      row.classList.toggle('selected', index === step);
      row.classList.toggle('later', index > step);
      row.setAttribute('aria-selected', String(index === step));
    });
    this.scrollTo(this.rows[step]);
  }

  /** Scrolls the lanes, and nothing around them. */
  private scrollTo(row: HTMLElement): void {
    const room = 60; // of the heading, and the row beside the selected one
    const { scrollTop, clientHeight } = this.element;
    const [top, bottom] = [row.offsetTop - room, row.offsetTop + row.offsetHeight + room];
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
  }

  private select(step: number): void {
    this.app.select({ step });
  }

  private begin(moving: string[]): HTMLElement {
    const { initial } = this.finding.trace;
    return h('tr.begin', { click: () => this.select(0) }, h('td.number', {}, '0'), h('td', {}),
      ...moving.map(() => h('td.lane', {})), h('td.changes', {}, initial.length > 0 ? `initially ${valuesText(initial)}` : 'initially'));
  }

  private step(index: number, moving: string[]): HTMLElement {
    const { steps } = this.finding.trace;
    const step = steps[index];
    const isLast = index + 1 === steps.length;
    const file = step.at[0] === this.finding.at[0] ? '' : `${this.app.data.files[step.at[0]].path.split('/').pop()}:`;
    const lane = (thread: string): HTMLElement => {
      const here = thread === step.thread;
      const bars = this.heldAfter(index, thread).map((lock) => h('i.lock', { style: `background:${this.locks.of(lock)}`, title: `${thread} holds ${lock}` }));
      return h(`td.lane${here ? '.here' : ''}`, {},
        h('div.cell', {}, h('span.locks', {}, ...bars),
          h('span', {}, here && h('code', {}, step.text), step.preempted === thread && h('em.preempted', {}, 'preempted'))));
    };
    const isBreak = isLast && this.finding.verdict === 'violated';
    return h(`tr${isBreak ? '.breaks' : ''}`, { click: () => this.select(index + 1) },
      h('td.number', {}, String(index + 1)), h('td.number', {}, `${file}${step.at[1]}`), ...moving.map(lane),
      h('td.changes', {}, valuesText(step.changes), step.note && h('span.note', {}, step.note),
        step.lost.length > 0 && h('span.lost', { title: 'unknown from here on, in some individual' }, `now unknown: ${step.lost.join(', ')}`),
        isBreak && h('span.clause', {}, broken(this.finding))));
  }

  private heldAfter(index: number, thread: string): string[] {
    return this.finding.trace.steps[index].after.held.filter(([, holder]) => holder === thread).map(([lock]) => lock);
  }

  private ending(): HTMLElement {
    return h('ul.ending', {}, ...this.finding.trace.ending.map((it) =>
      h('li', {}, h('button.link', { type: 'button', click: () => this.app.pointTo(it.at) }, it.thread), ' waits at ', h('code', {}, it.text), it.detail)));
  }
}

/** Of a proof that failed: this thread beside any other, around the step that cannot be proved. */
export function counterexample(app: App, finding: Finding): HTMLElement {
  const { before, after } = finding.counterexample;
  const line = app.data.files[finding.at[0]].text.split('\n')[finding.at[1] - 1]?.trim() ?? '';
  // Without a step that changes something, the values are those that others left.
  const [left, made] = before.length > 0 ? [before, after] : [after, []];
  return h('div.lanes.counterexample', {}, h('table', {},
    h('thead', {}, h('tr', {}, h('th.lane', {}, 'this thread'), h('th.lane', {}, 'any other thread'), h('th', {}, 'values, for instance'))),
    h('tbody', {},
      h('tr', {}, h('td.lane', {}), h('td.lane', {}, h('em', {}, 'steps that are not excluded')), h('td.changes', {}, valuesText(left))),
      h('tr.breaks', { click: () => app.pointTo(finding.at) }, h('td.lane', {}, h('code', {}, line)), h('td.lane', {}),
        h('td.changes', {}, valuesText(made), h('span.clause', {}, `cannot be proved: ${finding.text || finding.kind}`))))));
}
