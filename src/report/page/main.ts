// The page: navigation, the selected view, the sources beside it.

import { App } from './app';
import { configurationsView } from './configurations';
import { type Data, SIGNS, VERDICTS } from './data';
import { fold, h } from './dom';
import { FindingView } from './finding';
import { machinesView } from './machines';
import { proofsView } from './proofs';
import { Sources } from './source';
import { summaryView } from './summary';
import { treeView } from './tree';

const THEMES = ['auto', 'light', 'dark'];

class Page {
  private readonly app: App;
  private readonly main = h('main', { tabindex: -1 });
  private readonly views = new Map<string, HTMLElement>();
  private readonly findings = new Map<number, FindingView>();
  private readonly entries = new Map<string, HTMLElement>();

  constructor(data: Data) {
    this.app = new App(data);
    const sources = new Sources(this.app);
    document.body.append(this.header(), h('div.columns', {}, this.navigation(), this.main, sources.element));
    this.app.onSelect(() => this.show());
    document.addEventListener('keydown', (event) => this.key(event));
    if (!this.app.fromHash()) this.begin();
  }

  /** What went wrong comes first; otherwise the summary. */
  private begin(): void {
    const first = this.app.findings.findIndex((it) => it.verdict === 'violated' && it.waiver === '');
    if (first >= 0) this.app.selectFinding(first);
    else this.app.select({ view: 'summary' });
  }

  private header(): HTMLElement {
    const { data } = this.app;
    const theme = h('button.theme', { type: 'button', title: 'light, dark, or as the system has it' }, 'auto');
    theme.addEventListener('click', () => {
      const next = THEMES[(THEMES.indexOf(theme.textContent!) + 1) % THEMES.length];
      theme.textContent = next;
      document.documentElement.dataset.theme = next;
    });
    return h('header.top', {}, h('h1', {}, 'Concord'), h(`span.badge.${data.verdict}`, {}, `${SIGNS[data.verdict]} ${data.verdict}`),
      h('span.quiet', {}, data.files.length === 1 ? data.files[0].path : `${data.files[0]?.path ?? ''} and ${data.files.length - 1} more`), h('span.space', {}), h('span.quiet.keys', {}, '← → step, j k property'), theme);
  }

  private navigation(): HTMLElement {
    const { data } = this.app;
    const views: [string, string, boolean][] = [['summary', 'Summary', true], ['proofs', 'Proofs', data.questions.length + data.inferred.length > 0],
      ['tree', 'Proof tree', data.proof !== ''], ['machines', 'State machines', data.machines.length > 0], ['configurations', 'Configurations', data.configurations.length > 0]];
    const out = h('nav', { 'aria-label': 'Views and properties' });
    for (const [view, title, isThere] of views) {
      if (isThere) out.append(this.entry(view, () => this.app.select({ view }), h('span', {}, title)));
    }
    for (const verdict of VERDICTS) {
      const here = this.app.findings.map((it, index) => ({ it, index })).filter(({ it }) => it.verdict === verdict);
      if (here.length === 0) continue;
      out.append(fold([h(`span.sign.${verdict}`, {}, SIGNS[verdict]), ` ${verdict} (${here.length})`], verdict !== 'verified' || here.length <= 12,
        ...here.map(({ it, index }) => this.entry(`finding ${index}`, () => this.app.selectFinding(index), h('b', {}, it.kind),
          h('small', { title: `${this.app.place(it.claim)} ${it.text}` }, `${this.app.shortPlace(it.claim)}${it.waiver ? ', waived' : ''}`, h('code', {}, it.text.split('\n')[0]))))));
    }
    return out;
  }

  private entry(key: string, click: () => void, ...children: HTMLElement[]): HTMLElement {
    const out = h('button.entry', { type: 'button', click }, ...children);
    this.entries.set(key, out);
    return out;
  }

  private show(): void {
    const { view, finding, step } = this.app.selection;
    const key = view === 'finding' ? `finding ${finding}` : view;
    const shown = this.view(key);
    if (this.main.firstChild !== shown) {
      this.main.replaceChildren(shown);
      this.main.scrollTop = 0;
    }
    for (const [name, entry] of this.entries) {
      const isSelected = name === key;
      entry.setAttribute('aria-current', String(isSelected));
      if (isSelected) entry.scrollIntoView({ block: 'nearest' });
    }
    this.findings.get(view === 'finding' ? finding : -1)?.show(step);
  }

  private view(key: string): HTMLElement {
    const { finding } = this.app.selection;
    let out = this.views.get(key);
    if (out === undefined) {
      if (key.startsWith('finding')) {
        const made = new FindingView(this.app, this.app.findings[finding]);
        this.findings.set(finding, made);
        out = made.element;
      } else {
        const make = { summary: summaryView, proofs: proofsView, tree: treeView, machines: machinesView, configurations: configurationsView }[key] ?? summaryView;
        out = make(this.app);
      }
      this.views.set(key, out);
    }
    return out;
  }

  private key(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement;
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    const { step, view } = this.app.selection;
    const steps: Record<string, number> = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: Number.MAX_SAFE_INTEGER };
    if (event.key in steps && view === 'finding') {
      event.preventDefault();
      this.app.select({ step: steps[event.key] });
    } else if (event.key === 'j' || event.key === 'k') {
      this.neighbour(event.key === 'j' ? 1 : -1);
    }
  }

  /** The entry before or after in the navigation. */
  private neighbour(by: number): void {
    const all = [...this.entries.values()];
    const now = all.findIndex((it) => it.getAttribute('aria-current') === 'true');
    const next = all[now + by];
    next?.closest('details')?.setAttribute('open', '');
    next?.click();
  }
}

new Page(JSON.parse(document.getElementById('data')!.textContent!) as Data);
