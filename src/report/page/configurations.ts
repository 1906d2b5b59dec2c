// The configurations of the shape engine, as the paper draws them: those that were reached, and those on the way to an alarm.

import type { App } from './app';
import { h } from './dom';
import { Graph } from './draw';

export const LEGEND = 'Hexagons are threads; a double border stands for several individuals; what is dashed, or =1/2, is unknown.';
const NAMES = 'at[p:n]: the thread is at node n of p (concord show --cfg); has[x]: x is not null; rv[x]: what x refers to; r_by[x]: some x refers to it; is_C: an object of C.';

export function configurationsView(app: App): HTMLElement {
  const all = app.data.configurations;
  const graph = new Graph();
  const label = h('output', {});
  const slider = h('input', { type: 'range', min: 1, max: all.length, value: 1, 'aria-label': 'configuration' }) as HTMLInputElement;
  const show = (): void => {
    const index = Number(slider.value) - 1;
    const { title, dot } = all[index];
    label.textContent = `${index + 1} of ${all.length}${title ? `, at ${title}` : ''}`;
    void graph.show(dot, `configuration ${index + 1}`);
  };
  slider.addEventListener('input', show);
  show();
  return h('section', {}, h('h2', {}, 'Configurations'), h('p.quiet', {}, LEGEND), all.some((it) => it.dot.includes('rv[')) && h('p.quiet', {}, NAMES), h('div.slider', {}, slider, label), graph.element);
}
