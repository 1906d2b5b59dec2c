// Makes a site of the documentation: node build.mjs ROOT OUT
//
// A page for each Markdown file that there is, at the same place; links lead from page to page. What is no Markdown and is linked to is copied. A link
// that leads nowhere, an anchor that its page has not, and a page that no link leads to are errors: status 1, with all of them.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import MarkdownIt from 'markdown-it';

const [root, out] = process.argv.slice(2);
const own = import.meta.dirname;
const folders = ['docs', 'examples', 'bench'];
const contents = JSON.parse(readFileSync(join(own, 'contents.json'), 'utf8'));
const problems = [];
const copied = new Set();
const reached = new Set(['README.md']);

function markdownBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((it) => {
    const path = `${folder}/${it.name}`;
    return it.isDirectory() ? markdownBelow(path) : it.name.endsWith('.md') ? [path] : [];
  });
}

const files = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...folders.flatMap(markdownBelow)];
const target = (file) => file.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// ---------------------------------------------------------------------------------------------------------------- headings

// The anchor of a heading, as forges make it.
function slug(text, used) {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-');
  const count = used.get(plain) ?? 0;
  used.set(plain, count + 1);
  return count === 0 ? plain : `${plain}-${count}`;
}

const textOf = (inline) => inline.children.filter((it) => it.type === 'text' || it.type === 'code_inline').map((it) => it.content).join('');

function name_headings(tokens) {
  const used = new Map();
  const headings = [];
  tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    const text = textOf(tokens[i + 1]);
    const id = slug(text, used);
    token.attrSet('id', id);
    headings.push({ id, text, level: Number(token.tag.slice(1)) });
  });
  return headings;
}

// Places within a text that are linked to: `<a name="…"></a>`, the only HTML that our pages have.
const ANCHOR = /^<a name="([a-z-]+)">$/;

function name_places(tokens) {
  return tokens.flatMap((it) => it.children ?? []).flatMap((it) => {
    const name = it.type === 'html_inline' ? it.content.match(ANCHOR)?.[1] : null;
    return name ? [name] : [];
  });
}

// ------------------------------------------------------------------------------------------------------------------ pages

const markdown = new MarkdownIt({ html: true, linkify: false });
const pages = new Map(files.map((file) => {
  const tokens = markdown.parse(readFileSync(join(root, file), 'utf8'), {});
  const headings = name_headings(tokens);
  const anchors = new Set([...headings.map((it) => it.id), ...name_places(tokens)]);
  return [file, { file, tokens, headings, anchors, title: headings.find((it) => it.level === 1)?.text ?? file }];
}));

// A table may be wider than the page.
markdown.renderer.rules.table_open = () => '<div class="wide"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';
// Options and the like are not torn apart at their hyphens.
markdown.renderer.rules.code_inline = (tokens, i) => {
  const text = tokens[i].content;
  return `<code${text.length < 28 ? ' class="whole"' : ''}>${escape(text)}</code>`;
};

function page_of(path) {
  if (pages.has(path)) return path;
  const inner = `${path.replace(/\/$/, '')}/README.md`;
  return pages.has(inner) ? inner : null;
}

// Where a link of the page leads, from its place in the site.
function resolve(page, href) {
  if (/^[a-z]+:/.test(href)) return href;
  const [path, anchor] = decodeURI(href).split('#');
  const wanted = path === '' ? page.file : normalize(join(dirname(page.file), path)).replace(/\/$/, '');
  const found = page_of(wanted);
  if (!found) return other_file(page, href, wanted);
  reached.add(found);
  if (anchor && !pages.get(found).anchors.has(anchor)) problems.push(`${page.file}: ${href}: no such place`);
  return from_place(page, target(found)) + (anchor ? `#${anchor}` : '');
}

function other_file(page, href, wanted) {
  if (wanted.startsWith('..') || !existsSync(join(root, wanted)) || !statSync(join(root, wanted)).isFile()) {
    problems.push(`${page.file}: ${href}: there is nothing`);
    return href;
  }
  copied.add(wanted);
  return from_place(page, wanted);
}

const from_place = (page, to) => relative(dirname(target(page.file)), to) || '.';

function resolve_links(page) {
  for (const token of page.tokens) {
    for (const inner of token.children ?? []) {
      const name = inner.type === 'link_open' ? 'href' : inner.type === 'image' ? 'src' : null;
      if (name) inner.attrSet(name, resolve(page, inner.attrGet(name)));
    }
  }
}

function navigation(page) {
  const entry = (file) => {
    const current = file === page.file ? ' aria-current="page"' : '';
    return `<li><a href="${escape(from_place(page, target(file)))}"${current}>${escape(file === 'README.md' ? 'What it is' : pages.get(file).title.replace(/:.*/, ''))}</a></li>`;
  };
  return contents.map(([title, list]) => `<h2>${title}</h2><ul>${list.map(entry).join('')}</ul>`).join('\n');
}

function on_this_page(page) {
  const list = page.headings.filter((it) => it.level === 2);
  if (list.length < 3) return '';
  return `<aside><h2>On this page</h2><ul>${list.map((it) => `<li><a href="#${it.id}">${escape(it.text)}</a></li>`).join('')}</ul></aside>`;
}

function html(page) {
  const style = escape(from_place(page, 'style.css'));
  const name = page.file === 'README.md' ? 'Concord' : `${page.title} · Concord`;
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(name)}</title><link rel="stylesheet" href="${style}"></head>
<body>
<a class="to-contents" href="#contents">Contents</a>
<nav aria-label="Contents" id="contents"><a class="name" href="${escape(from_place(page, 'index.html'))}">Concord</a>
${navigation(page)}</nav>
<main>
${markdown.renderer.render(page.tokens, markdown.options, {})}</main>
${on_this_page(page)}
</body>
</html>
`;
}

// ----------------------------------------------------------------------------------------------------------------- writing

function write(path, text) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}

for (const file of contents.flatMap(([, list]) => list)) {
  if (pages.has(file)) reached.add(file);
  else problems.push(`contents.json: ${file}: there is no such page`);
}
pages.forEach(resolve_links);
for (const file of files) {
  if (!reached.has(file)) problems.push(`${file}: no link leads here`);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
for (const page of pages.values()) write(target(page.file), html(page));
copyFileSync(join(own, 'style.css'), join(out, 'style.css'));
for (const file of copied) write(file, readFileSync(join(root, file)));
console.log(`${pages.size} pages in ${out}`);
