// The first view: verdicts, what they rest on, what was not checked, and where the time went.

import type { App } from './app';
import { SIGNS, VERDICTS } from './data';
import { type Child, fold, h, time } from './dom';

function list(title: string, items: string[], name = ''): Child {
  return items.length > 0 && h(`section${name}`, {}, h('h3', {}, title), h('ul', {}, ...items.map((it) => h('li', {}, it))));
}

export function summaryView(app: App): HTMLElement {
  const { data } = app;
  const count = (verdict: string): number => data.findings.filter((it) => it.verdict === verdict).length;
  const counts = VERDICTS.map((it) => h(`div.count.${it}`, {}, h('b', {}, String(count(it))), h('span', {}, it)));
  const effort = Object.entries(data.statistics).map(([name, value]) => `${value.toLocaleString('en')} ${name.replaceAll('_', ' ')}`);
  return h('section.summary', {},
    h('h2', {}, h(`span.badge.${data.verdict}`, {}, `${SIGNS[data.verdict]} ${data.verdict}`), data.interrupted && ' (interrupted)'),
    data.nothingChecked && h('p', {}, data.nothingChecked),
    h('div.counts', {}, ...counts),
    h('p.command', {}, h('code', {}, `concord ${data.arguments.join(' ')}`)),
    h('section', {}, h('h3', {}, 'Engine'), h('p', {}, data.engine, data.remembered && ' (all of it remembered from an earlier run)'),
      h('ul', {}, ...data.why.map((it) => h('li', {}, it)))),
    list('Assumptions', data.assumptions, '.assumptions'),
    list('Not checked', data.notChecked.map((it) => `${it} (--property ${it})`)),
    list('Notes', data.notes),
    data.inferred.length > 0 && fold(`Found annotations: ${data.inferred.length}`, false, h('ul.code', {}, ...data.inferred.map((it) => h('li', {}, h('code', {}, it))))),
    data.patch && fold('Annotations as a patch', false, h('pre', {}, data.patch)),
    h('section', {}, h('h3', {}, 'Effort'), h('p', {}, [time(data.ms), ...effort].join(', '))),
    parts(app),
    properties(app));
}

function parts(app: App): Child {
  const { parts: all } = app.data;
  const most = Math.max(...all.map((it) => it.ms), 1e-9);
  return all.length > 0 && fold(`Checked by themselves: ${all.length}`, all.length <= 12, h('table.parts', {}, ...all.map((it) =>
    h('tr', { click: () => app.pointTo(it.at) }, h('th', {}, it.name), h('td.number', {}, time(it.ms)),
      h('td.bar', {}, h('i', { style: `width:${(100 * it.ms) / most}%` }))))));
}

function properties(app: App): Child {
  return h('section', {}, h('h3', {}, 'Properties'), h('table.properties', {}, h('tbody', {}, ...VERDICTS.flatMap((verdict) =>
    app.findings.flatMap((it, index) => (it.verdict !== verdict ? [] : [
      h('tr', { click: () => app.selectFinding(index) },
        h('td', {}, h(`span.badge.${it.verdict}`, {}, it.verdict)), h('td', {}, it.kind), h('td.place', { title: app.place(it.claim) }, app.shortPlace(it.claim)),
        h('td', {}, h('code', {}, it.text)), h('td', {}, it.message))]))))));
}
