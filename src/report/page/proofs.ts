// What was proved and how: the invariants that were found, and every question to a solver.

import type { App } from './app';
import type { Question } from './data';
import { fold, h, time } from './dom';

const STATUS = { proved: 'verified', failed: 'unproved', unknown: 'unknown' } as const;

export function proofsView(app: App): HTMLElement {
  const { questions, inferred } = app.data;
  const parts = [...new Set(questions.map((it) => it.part))];
  return h('section', {}, h('h2', {}, 'Proofs'),
    inferred.length > 0 && fold(`Found: ${inferred.length}`, true, h('ul.code', {}, ...inferred.map((it) => h('li', {}, h('code', {}, it))))),
    ...parts.map((part) => partView(app, part, questions.filter((it) => it.part === part))));
}

function partView(app: App, part: string, questions: Question[]): HTMLElement {
  const ms = questions.reduce((sum, it) => sum + it.ms, 0);
  const open = questions.filter((it) => it.status !== 'proved').length;
  const title = [h('b', {}, part), ` ${questions.length} obligation${questions.length === 1 ? '' : 's'}, ${time(ms)}`, open > 0 && h('span.unproved', {}, `, ${open} not proved`)];
  const hasCores = questions.some((it) => it.core.length > 0);
  const heads = ['', 'what must not happen', 'for', 'at', 'solver', 'time', ...(hasCores ? ['known to need'] : [])];
  return fold(title, open > 0, h('table.questions', {},
    h('thead', {}, h('tr', {}, ...heads.map((it) => h('th', {}, it)))),
    h('tbody', {}, ...questions.map((it) => h('tr', { click: () => app.pointTo(it.at) },
      h('td', {}, h(`span.badge.${STATUS[it.status]}`, {}, it.status)), h('td', {}, it.mayFail),
      h('td', {}, ...it.properties.map((id) => link(app, id))), h('td.place', { title: app.place(it.at) }, app.shortPlace(it.at)), h('td', {}, it.solver),
      h('td.number', {}, time(it.ms)), hasCores && h('td', {}, ...it.core.map((id) => link(app, id))))))));
}

function link(app: App, id: string): HTMLElement {
  const index = app.findings.findIndex((it) => it.id === id);
  if (index < 0) return h('div', { title: id }, id.replace(/@.*\//, '@')); // without folders
  const { kind, claim } = app.findings[index];
  const text = `${kind} ${app.shortPlace(claim)}`;
  return h('div', {}, h('button.link', { type: 'button', title: id, click: (event) => (event.stopPropagation(), app.selectFinding(index)) }, text));
}
