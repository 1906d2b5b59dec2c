// The pages that --report writes, in Debian's Chromium: opened from the disk, clicked through, stepped by keyboard.

import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, folder, run, test } from './harness.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const screenshots = join(folder, 'screenshots');
mkdirSync(screenshots, { recursive: true });

let browser;
async function launched() {
  browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: FLAGS });
  return browser;
}
export async function close() {
  await browser?.close();
}

/** A report, opened; whatever it complains of or asks the network for is an error. */
async function withPage(name, args, look, colorScheme = 'light') {
  const report = join(folder, 'reports', name);
  rmSync(report, { recursive: true, force: true }); // not that of an earlier run
  const { stderr } = await run([...args, '--report', report]);
  const file = join(report, 'index.html');
  expect(existsSync(file), stderr);
  const context = await (await launched()).newContext({ colorScheme, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const trouble = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('request', (request) => request.url().startsWith('file:') || request.url().startsWith('data:') || trouble.push(`asks for ${request.url()}`));
  try {
    await page.goto(pathToFileURL(file).href);
    await look(page, async (part) => {
      await page.screenshot({ path: join(screenshots, `${name}-${part}-${colorScheme}.png`) });
    });
  } finally {
    await context.close();
  }
  expect(trouble.length === 0, trouble.join('\n'));
}

const count = (page, selector) => page.locator(selector).count();
const text = (page, selector) => page.locator(selector).first().innerText();

async function expectText(page, selector, wanted) {
  const actual = await text(page, selector);
  expect(actual.includes(wanted), `${selector}: ${JSON.stringify(wanted)} is wanted, there is ${JSON.stringify(actual)}`);
}

async function expectCount(page, selector, wanted) {
  const actual = await count(page, selector);
  expect(actual === wanted, `${selector}: ${wanted} are wanted, there are ${actual}`);
}

const LOST_UPDATE = ['explore', 'docs/walk/lost_update.plato'];

for (const scheme of ['light', 'dark']) {
  test(`page of a run that breaks an invariant, ${scheme}`, () => withPage('lost-update', LOST_UPDATE, async (page, shoot) => {
    await expectText(page, 'main h2', 'the invariant does not hold');
    await expectCount(page, '.lanes th.lane', 2);
    await expectCount(page, '.lanes tbody tr', 5);
    await expectText(page, '.lanes tr.breaks', 'breaks: global_invariant done <= x');
    await expectText(page, '.controls output', 'step 4 of 4');
    await expectText(page, '.lanes em.preempted', 'preempted');
    await shoot('end');
    await page.keyboard.press('ArrowLeft');
    await expectText(page, '.controls output', 'step 3 of 4');
    await expectText(page, '.lanes tr.selected', 'x = t + 1');
    await expectText(page, '.situation .changed', 'x');
    await expectText(page, '.sources .at-step', 'x = t + 1;');
    await page.keyboard.press('Home');
    await expectText(page, '.controls output', 'before the first step');
    await page.keyboard.press('ArrowRight');
    await expectText(page, '.sources .at-step', 'var t: int = x;');
    await page.keyboard.press('End');
    await expectText(page, '.controls output', 'step 4 of 4');
    await page.locator('.lanes tbody tr').nth(2).click();
    await expectText(page, '.controls output', 'step 2 of 4');
    await page.locator('.controls button').last().click();
    await expectText(page, '.controls output', 'step 4 of 4');
    await shoot('stepped');
  }, scheme));
}

test('page: summary, folding, gutter, theme', () => withPage('lost-update', LOST_UPDATE, async (page, shoot) => {
  const explanation = page.locator('main details').last();
  expect(!(await explanation.evaluate((it) => it.open)), 'the explanation is folded at first');
  await explanation.locator('summary').click();
  expect(await explanation.evaluate((it) => it.open), 'and then open');
  await page.locator('nav .entry', { hasText: 'Summary' }).click();
  await expectText(page, '.count.violated', '1');
  await expectText(page, '.assumptions', 'integers are unbounded');
  await expectText(page, 'main', 'race (--property race)');
  await shoot('summary');
  await page.locator('.sources .verdicts .sign.violated').click();
  await expectText(page, 'main h2', 'the invariant does not hold');
  await page.locator('nav .entry', { hasText: 'Summary' }).click();
  await page.locator('.sources .message.violated').click();
  await expectText(page, 'main h2', 'the invariant does not hold');
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const first = await back();
  await page.locator('.theme').click(); // light
  expect((await back()) === first, 'light is what it was');
  await page.locator('.theme').click(); // dark
  expect((await back()) !== first, 'dark is another');
  await page.reload();
  await expectText(page, '.controls output', 'step 4 of 4');
}));

test('page of monitors and a heap, in Java', () => withPage('java', ['explore', 'tests/browser/Account.java'], async (page, shoot) => {
  await expectText(page, 'main h2', 'violated');
  expect((await count(page, '.lanes i.lock')) > 0, 'held locks are shown beside their lanes');
  expect((await count(page, '.situation .object')) > 0, 'objects are shown');
  const hidden = await page.locator('.lanes').evaluate((it) => it.scrollWidth - it.clientWidth);
  expect(hidden <= 0, `${hidden} pixels of what changes are out of sight`);
  await shoot('end');
  for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowLeft');
  await shoot('stepped');
}));

test('page of threads that wait for each other', () => withPage('deadlock', ['explore', 'tests/browser/deadlock.plato'], async (page, shoot) => {
  await expectText(page, '.lanes tr.breaks .clause', 'no thread can move');
  await expectText(page, '.ending', 'waits at');
  await expectText(page, '.ending', 'for right, which other holds');
  await expectCount(page, '.sources .at-break', 2); // where both wait, and not where the last step was
  await expectText(page, '.held', 'held by');
  await shoot('end');
}));

/** No text of a drawing is wider than its node, whatever fonts there are; no message wider than the sources. */
async function expectRoom(page) {
  const wide = await page.evaluate(() => {
    const out = [];
    for (const node of document.querySelectorAll('.graph g.node')) {
      const shape = node.querySelector('ellipse, polygon, path').getBoundingClientRect();
      for (const it of node.querySelectorAll('text')) if (it.getBoundingClientRect().width > shape.width) out.push(it.textContent);
    }
    const sources = document.querySelector('.sources').getBoundingClientRect();
    for (const it of document.querySelectorAll('.sources .message')) if (it.getBoundingClientRect().right > sources.right) out.push(it.textContent);
    return out;
  });
  expect(wide.length === 0, `wider than there is room: ${wide.join('; ')}`);
}

test('page of abstract threads', () => withPage('machines', ['explore', 'tests/browser/machine.plato'], async (page, shoot) => {
  await page.locator('.followers svg g.node').first().waitFor();
  await page.keyboard.press('Home');
  await page.locator('.followers g.possible').first().waitFor();
  await expectRoom(page);
  await shoot('beginning');
  await page.locator('nav .entry', { hasText: 'State machines' }).click();
  await page.locator('main figure svg').first().waitFor();
  await shoot('machines');
}));

test('page of a proof that fails', () => withPage('unproved', ['verify', '--engine', 'modular', 'tests/browser/unproved.plato'], async (page, shoot) => {
  await page.locator('nav .entry', { hasText: 'assertion' }).first().click();
  await expectText(page, '.counterexample thead', 'any other thread');
  await expectText(page, '.counterexample .breaks', 'cannot be proved');
  await shoot('counterexample');
}));

test('page of proofs', () => withPage('proofs', ['verify', 'examples/simple-lock/simple_lock.plato'], async (page, shoot) => {
  await expectText(page, 'main h2', 'verified');
  await expectText(page, 'main', 'modular, since no thread has an abstract thread');
  await shoot('summary');
  await page.locator('nav .entry', { hasText: 'Proofs' }).click();
  const part = page.locator('main details', { hasText: 'obligations' }).first();
  await part.locator('summary').click();
  expect((await part.locator('.questions tbody tr').first().innerText()).includes('Z3'), 'the solver is named');
  await part.locator('.questions tbody td').first().click();
  await expectCount(page, '.sources .at-step', 1);
  await shoot('proofs');
}));

test('page of a proof tree', () => withPage('tree', ['verify', '--engine', 'dynamic', 'examples/payments/payments_locked.plato'], async (page, shoot) => {
  await page.locator('nav .entry', { hasText: 'Proof tree' }).click();
  await expectText(page, 'main', 'EMPTY-PROGRAM');
  const step = page.locator('main details', { hasText: 'STEP' }).last();
  const sequent = step.locator('.sequent').first();
  expect(!(await sequent.isVisible()), 'leaves are folded at first');
  await step.locator('> summary').click();
  await step.locator('details > summary').first().click();
  expect(await sequent.isVisible(), 'a sequent is unfolded');
  expect((await sequent.innerText()).includes('⊢'), 'it is a sequent');
  await expectText(page, 'main', 'LOCK');
  await expectText(page, '.update', 'sum + amount[thread(0)]');
  expect(!(await text(page, 'main section, main')).includes('(select '), 'formulas are as people write them');
  await shoot('tree');
}));

test('page of configurations', () => withPage('shape', ['verify', '--engine', 'shape', 'docs/shape/Registry.java'], async (page, shoot) => {
  await page.locator('nav .entry', { hasText: 'Configurations' }).click();
  await page.locator('main .graph svg').waitFor();
  const first = await page.locator('main .graph svg').innerHTML();
  await page.locator('.slider input').focus();
  await page.keyboard.press('ArrowRight');
  await expectText(page, '.slider output', '2 of');
  await expectRoom(page);
  await page.waitForFunction((before) => document.querySelector('main .graph svg').innerHTML !== before, first);
  await shoot('configurations');
}));

test('page of an alarm in a model', () => withPage('model', ['verify', 'examples/mutex/mutex_broken_no_lock.tvm', 'examples/mutex/mutex.tvs'], async (page, shoot) => {
  await page.locator('nav .entry', { hasText: 'assertion' }).first().click();
  await page.locator('main .graph svg').waitFor();
  await page.keyboard.press('Home');
  await page.locator('main .graph svg').waitFor();
  const first = await page.locator('main .graph svg').innerHTML();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('main .graph svg').innerHTML !== before, first);
  await shoot('stepped');
}));

test('page on a narrow window', () => withPage('lost-update', LOST_UPDATE, async (page, shoot) => {
  await page.setViewportSize({ width: 480, height: 900 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow <= 0, `the page is ${overflow} pixels too wide`);
  await shoot('narrow');
}));

test('page of hostile text', () => withPage('hostile', ['explore', 'tests/browser/hostile.plato'], async (page) => {
  await expectText(page, '.sources .cm-content', '</script>');
  await expectCount(page, 'b.hostile', 0);
  expect(statSync(join(folder, 'reports/hostile/index.html')).size < 4_000_000, 'a page is small');
}));
