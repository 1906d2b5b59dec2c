// One property: what is said of it, and the run or the values that show it, to be gone through step by step.

import type { App } from './app';
import { LEGEND } from './configurations';
import { type Finding, SIGNS, type Situation } from './data';
import { fold, h, prose } from './dom';
import { Graph } from './draw';
import { Lanes, LockColours, counterexample } from './lanes';
import { Followers } from './machines';
import { SituationPanel, isEmpty } from './situation';

export class FindingView {
  readonly element: HTMLElement;
  private readonly locks = new LockColours();
  private readonly panel = new SituationPanel(this.locks);
  private readonly lanes?: Lanes;
  private readonly followers?: Followers;
  private readonly configuration = new Graph();
  private readonly position = h('output', { 'aria-live': 'polite' });
  private readonly slider = h('input', { type: 'range', min: 0, value: 0, 'aria-label': 'step' }) as HTMLInputElement;

  constructor(private readonly app: App, private readonly finding: Finding) {
    const { trace } = finding;
    this.element = h('section.finding', {}, this.heading(), this.notes());
    const example = finding.counterexample;
    if (trace.steps.length === 0 && example.before.length + example.after.length > 0) this.element.append(h('h3', {}, 'Why it cannot be proved'), counterexample(app, finding));
    if (trace.steps.length > 0) {
      this.lanes = new Lanes(app, finding, this.locks);
      const situations = [trace.before, ...trace.steps.map((it) => it.after)];
      if (situations.some((it) => it.followers.length > 0)) this.followers = new Followers(app, situations);
      this.element.append(h('h3', {}, finding.verdict === 'violated' ? 'A run that breaks it' : 'How it may come to that'), this.controls(), this.lanes.element);
      if (trace.drawing !== '') this.element.append(h('h3', {}, 'Configuration'), h('p.quiet', {}, LEGEND), this.configuration.element);
      if (this.followers) this.element.append(h('h3', {}, 'Abstract threads'), this.followers.element);
      if (!isEmpty(trace.before)) this.element.append(this.panel.element);
    }
    this.element.append(this.explanation());
  }

  show(step: number): void {
    const { steps } = this.finding.trace;
    if (steps.length === 0) return;
    this.lanes?.show(step);
    this.slider.value = String(step);
    this.position.textContent = step === 0 ? 'before the first step' : `step ${step} of ${steps.length}`;
    this.panel.show(this.at(step), this.at(Math.max(0, step - 1)));
    void this.followers?.show(this.at(step));
    void this.configuration.show(this.drawing(step), `configuration after step ${step}`);
  }

  private at(step: number): Situation {
    const { trace } = this.finding;
    return step === 0 ? trace.before : trace.steps[step - 1].after;
  }

  /** The last one that was kept on the way there. */
  private drawing(step: number): string {
    const { trace } = this.finding;
    const last = trace.steps.slice(0, step).map((it) => it.drawing).filter((it) => it !== '').pop();
    return last ?? trace.drawing;
  }

  private heading(): HTMLElement {
    const { verdict, kind, message, engine, waiver, text, dependsOn } = this.finding;
    return h('header', {},
      h('h2', {}, h(`span.badge.${verdict}`, {}, `${SIGNS[verdict]} ${verdict}`), ' ', message),
      h('p.quiet', {}, `${kind}, by ${engine}, `, this.link(this.app.place(this.finding.at), this.finding.at)),
      text && h('pre.claim', {}, text),
      dependsOn && h('p', {}, 'depends on ', this.dependency(dependsOn)),
      waiver && h('p', {}, `waived: “${waiver}”`));
  }

  private dependency(id: string): HTMLElement {
    const index = this.app.findings.findIndex((it) => it.id === id);
    if (index < 0) return h('code', {}, id);
    return h('button.link', { type: 'button', click: () => this.app.selectFinding(index) }, id);
  }

  private notes(): HTMLElement {
    const { related, claim, at } = this.finding;
    const all = [...related];
    const isTold = String(claim) === String(at) || related.some((it) => String(it.at) === String(claim));
    if (!isTold) all.unshift({ message: 'the claim', at: claim });
    return h('ul.notes', {}, ...all.map((it) => h('li', {}, this.link(this.app.place(it.at), it.at), ` ${it.message}`)));
  }

  private link(text: string, at: Finding['at']): HTMLElement {
    return h('button.link', { type: 'button', click: () => this.app.pointTo(at) }, text);
  }

  private controls(): HTMLElement {
    const last = this.finding.trace.steps.length;
    const go = (label: string, title: string, to: () => number): HTMLElement =>
      h('button', { type: 'button', title, 'aria-label': title, click: () => this.app.select({ step: to() }) }, label);
    const now = (): number => this.app.selection.step;
    this.slider.max = String(last);
    this.slider.addEventListener('input', () => this.app.select({ step: Number(this.slider.value) }));
    return h('div.controls', {}, go('|◀', 'to the beginning (Home)', () => 0), go('◀', 'one step back (←)', () => now() - 1), this.slider,
      go('▶', 'one step on (→)', () => now() + 1), go('▶|', 'to the end (End)', () => last), this.position);
  }

  private explanation(): HTMLElement {
    const kind = this.app.data.kinds[this.finding.kind];
    return fold(`What “${this.finding.kind}” means`, false, ...prose(kind.explanation), h('h4', {}, 'An example'), h('pre', {}, kind.example.trim()),
      h('h4', {}, 'The same, and all of it is verified'), h('pre', {}, kind.fixed.trim()),
      h('h4', {}, 'What helps'), ...prose(kind.fix));
  }
}
