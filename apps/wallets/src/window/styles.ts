/**
 * Styles of the wallet's window. Most colors derive from the wallet's accent. The shadow root scopes
 * the styles, so that page and window do not style each other.
 */
export const styles = /* css */ `
:host {
  all: initial;
  --page: #fff;
  --ink: oklch(from var(--accent) 0.21 min(c * 0.16, 0.016) h);
  --ink-2: oklch(from var(--accent) 0.44 min(c * 0.22, 0.022) h);
  --ink-3: oklch(from var(--accent) 0.5 min(c * 0.22, 0.022) h);
  --tint: oklch(from var(--accent) 0.4 min(c * 0.6, 0.065) h);
  --surface: color-mix(in oklab, var(--page), var(--tint) 6%);
  --surface-hover: color-mix(in oklab, var(--page), var(--tint) 9.5%);
  --surface-press: color-mix(in oklab, var(--page), var(--tint) 13.5%);
  --line: color-mix(in oklab, transparent, var(--tint) 13%);
  --line-ui: oklch(from var(--accent) 0.619 min(c * 0.2, 0.022) h);
  --fill: oklch(from var(--accent) min(l, 0.53) c h);
  --fill-hover: oklch(from var(--fill) calc(l - 0.03) c h);
  --on-fill: oklch(0.99 0 0);
  --edge: oklch(from var(--accent) min(l, 0.605) min(c, 0.17) h);
  --mark: oklch(from var(--accent) min(l, 0.582) min(c, 0.19) h);
  --accent-text: oklch(from var(--accent) min(l, 0.462) min(c, 0.17) h);
  --good: oklch(0.475 0.115 152);
  --bad: oklch(0.5 0.17 24);
  --warn: oklch(0.45 0.105 66);
  --warn-soft: color-mix(in oklab, var(--page), oklch(0.75 0.15 72) 18%);
  --shadow: 0 0 0 1px oklch(0.2 0.01 70 / 0.07), 0 1px 2px oklch(0.2 0.02 70 / 0.06),
    0 8px 20px -6px oklch(0.2 0.02 70 / 0.14), 0 32px 64px -24px oklch(0.2 0.02 70 / 0.32);
  --ease-out: cubic-bezier(0.16, 0.84, 0.3, 1);
  color-scheme: light;
}
:host([data-theme='dark']) {
  --page: oklch(from var(--accent) 0.2 min(c * 0.08, 0.009) h);
  --ink: oklch(from var(--accent) 0.955 min(c * 0.06, 0.008) h);
  --ink-2: oklch(from var(--accent) 0.775 min(c * 0.1, 0.012) h);
  --ink-3: oklch(from var(--accent) 0.7 min(c * 0.1, 0.012) h);
  --tint: oklch(from var(--accent) 0.88 min(c * 0.6, 0.065) h);
  --surface: color-mix(in oklab, var(--page), var(--tint) 7%);
  --surface-hover: color-mix(in oklab, var(--page), var(--tint) 11%);
  --surface-press: color-mix(in oklab, var(--page), var(--tint) 5%);
  --line: color-mix(in oklab, transparent, var(--tint) 13%);
  --line-ui: oklch(from var(--accent) 0.555 min(c * 0.1, 0.012) h);
  --fill: oklch(from var(--accent) clamp(0.44, l, 0.53) c h);
  --fill-hover: oklch(from var(--fill) calc(l + 0.03) c h);
  --edge: oklch(from var(--accent) max(l, 0.6) min(c, 0.17) h);
  --mark: oklch(from var(--accent) max(l, 0.62) min(c, 0.17) h);
  --accent-text: oklch(from var(--accent) max(l, 0.77) min(c, 0.13) h);
  --good: oklch(0.79 0.13 155);
  --bad: oklch(0.765 0.115 25);
  --warn: oklch(0.82 0.11 78);
  --warn-soft: color-mix(in oklab, var(--page), oklch(0.75 0.14 72) 15%);
  --shadow: 0 0 0 1px oklch(1 0 0 / 0.1), 0 24px 64px -16px oklch(0 0 0 / 0.75);
  color-scheme: dark;
}
@supports not (color: oklch(from red l c h)) {
  :host {
    --page: #fff; --ink: #1d1a17; --ink-2: #55504a; --ink-3: #666059; --surface: #f3f2f0;
    --surface-hover: #ebe9e6; --surface-press: #e3e0dc; --line: #e2dfda; --line-ui: #8c857c;
    --fill: #26221d; --fill-hover: #3a352f; --on-fill: #fff; --edge: #26221d; --mark: #6b6357;
    --accent-text: #26221d; --warn-soft: #f6ead3; --good: #1c6b3c; --bad: #a3262b; --warn: #7a4a10;
  }
  :host([data-theme='dark']) {
    --page: #181614; --ink: #f3f0ec; --ink-2: #b9b4ad; --ink-3: #a29c94; --surface: #24211e;
    --surface-hover: #2d2a26; --surface-press: #201e1b; --line: #35312d; --line-ui: #7b756d;
    --fill: #f3f0ec; --fill-hover: #dcd8d2; --on-fill: #181614; --edge: #f3f0ec; --mark: #b9b4ad;
    --accent-text: #f3f0ec; --warn-soft: #3a2f1c; --good: #7fd6a0; --bad: #f1a2a0; --warn: #e6bd7a;
  }
}

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.root {
  font: 450 15px/20px 'Instrument Sans Variable', 'Instrument Sans', ui-sans-serif, system-ui,
    -apple-system, 'Segoe UI', Roboto, sans-serif;
  color: var(--ink);
  -webkit-font-smoothing: antialiased;
  text-align: start;
}
button, select, input, summary { font: inherit; color: inherit; letter-spacing: inherit; }
button, summary, select { cursor: pointer; -webkit-tap-highlight-color: transparent; }
:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; }
svg { inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
img { display: block; border-radius: 26%; box-shadow: inset 0 0 0 1px oklch(0 0 0 / 0.07); }

/* the tab that stays visible while the window is closed */
.tab {
  position: fixed; z-index: 2147483646; right: 0; top: calc(96px + var(--slot, 0) * 52px);
  inline-size: 44px; block-size: 44px; padding: 0; border: 0; display: grid; place-items: center;
  background: var(--page); border-radius: 12px 0 0 12px; box-shadow: var(--shadow);
  transition: translate 200ms var(--ease-out); translate: 6px 0;
}
.tab:hover, .tab:focus-visible, .tab[data-pending] { translate: 0 0; }
.tab::after { content: ''; position: absolute; inset-block: 8px; right: 0; inline-size: 3px; border-radius: 2px 0 0 2px; background: var(--mark); scale: 1 0; transition: scale 200ms var(--ease-out); }
.tab[data-linked]::after { scale: 1 1; }
.tab img { inline-size: 24px; block-size: 24px; }
.tab b {
  position: absolute; top: -6px; left: -6px; min-inline-size: 20px; block-size: 20px; padding-inline: 5px;
  border-radius: 10px; background: var(--fill); color: var(--on-fill); font-size: 11px; font-weight: 620; line-height: 20px; text-align: center;
}

.card {
  position: fixed; z-index: 2147483647; top: 16px; right: 16px; inline-size: 344px;
  max-block-size: calc(100dvh - 32px); display: flex; flex-direction: column; overflow: hidden;
  background: var(--page); border-radius: 18px; box-shadow: var(--shadow);
  transform-origin: 100% 50%; animation: unfold 200ms var(--ease-out);
}
@keyframes unfold {
  from { opacity: 0; transform: perspective(1100px) translateX(10px) rotateY(15deg); }
}
header { display: flex; align-items: center; gap: 10px; padding: 8px 6px 8px 14px; min-block-size: 60px; border-block-end: 1px solid var(--line); }
header img { inline-size: 32px; block-size: 32px; flex: none; }
.identity { flex: 1; min-inline-size: 0; display: grid; }
.identity b { font-weight: 620; letter-spacing: -0.005em; line-height: 18px; }
.identity span { font-size: 12px; line-height: 16px; color: var(--ink-2); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tag { flex: none; padding: 4px 7px; border-radius: 7px; background: var(--surface); color: var(--ink-2); font-size: 11px; line-height: 12px; font-weight: 620; font-variant-numeric: tabular-nums; }
.close { flex: none; inline-size: 44px; block-size: 44px; border: 0; padding: 0; background: none; display: grid; place-items: center; color: var(--ink-2); border-radius: 12px; }
.close:hover { color: var(--ink); background: var(--surface); }

.body { overflow: auto; overscroll-behavior: contain; padding: 0 12px 12px; display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }
.heading { padding: 16px 8px 8px; text-align: center; }
h2 { margin: 0; font-size: 17px; line-height: 21px; font-weight: 620; letter-spacing: -0.01em; text-wrap: balance; overflow-wrap: anywhere; }
.heading p { margin: 4px 0 0; font-size: 13px; line-height: 18px; color: var(--ink-2); text-wrap: pretty; }
.heading p b { color: var(--ink); font-weight: 550; overflow-wrap: anywhere; }

.group { margin: 0; background: var(--surface); border-radius: 12px; padding: 0 12px; }
.group > * { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-block-size: 40px; }
.group > * + * { border-block-start: 1px solid var(--line); }
dt, .group > * > span { color: var(--ink-2); font-size: 13px; line-height: 18px; flex: none; max-inline-size: 55%; overflow-wrap: anywhere; }
dd, .group b { margin: 0; padding-block: 8px; font-size: 13px; line-height: 18px; font-weight: 550; text-align: end; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; min-inline-size: 0; }
.text { margin: 0; padding: 12px; background: var(--surface); border-radius: 12px; font: inherit; font-size: 13px; line-height: 19px; white-space: pre-wrap; overflow-wrap: anywhere; max-block-size: 232px; overflow: auto; unicode-bidi: plaintext; }
/* scroll shadows */
.text, .fields {
  background: linear-gradient(var(--surface) 30%, transparent) 0 0 / 100% 32px local, linear-gradient(transparent, var(--surface) 70%) 0 100% / 100% 32px local,
    linear-gradient(var(--line), transparent) 0 0 / 100% 12px scroll, linear-gradient(transparent, var(--line)) 0 100% / 100% 12px scroll, var(--surface);
  background-repeat: no-repeat;
}
.fields { max-block-size: 240px; overflow: auto; }
.warning { display: flex; gap: 10px; margin: 0; padding: 12px; border-radius: 12px; background: var(--warn-soft); font-size: 13px; line-height: 18px; }
.warning svg { flex: none; color: var(--warn); margin-block-start: -1px; }
[data-error] dt, [data-error] dd { color: var(--bad); }

.actions { display: grid; grid-template-columns: 2fr 3fr; gap: 8px; }
.button { min-block-size: 48px; padding: 0 12px; border: 0; border-radius: 12px; background: var(--surface); font-weight: 550; transition: background-color 125ms, scale 75ms; }
.button:hover { background: var(--surface-hover); }
.button:active { background: var(--surface-press); scale: 0.985; }
.button[data-kind='primary'] { background: var(--fill); color: var(--on-fill); box-shadow: inset 0 0 0 1px var(--edge); }
.button[data-kind='primary']:hover { background: var(--fill-hover); }
.foot { display: flex; gap: 8px; flex-wrap: wrap; }
.foot .button { flex: 1 1 auto; min-block-size: 44px; font-size: 13px; }

details { border-block-start: 1px solid var(--line); margin-inline: -12px; padding-inline: 12px; margin-block-end: -12px; }
summary { display: flex; align-items: center; gap: 8px; min-block-size: 44px; list-style: none; font-size: 13px; font-weight: 550; color: var(--ink-2); padding-inline: 8px; margin-inline: -4px; border-radius: 10px; }
summary::-webkit-details-marker { display: none; }
summary:hover { color: var(--ink); }
summary:focus-visible { outline-offset: -3px; }
summary svg { inline-size: 16px; block-size: 16px; margin-inline-start: auto; transition: rotate 200ms var(--ease-out); }
details[open] summary svg { rotate: 180deg; }
.faults { display: grid; gap: 8px; padding-block-end: 12px; }
.group label { cursor: pointer; min-block-size: 44px; }
select, .group input:not([type='checkbox']) {
  appearance: none; border: 0; background: none; min-block-size: 44px; min-inline-size: 0; flex: 1; padding: 0; text-align: end; font-size: 13px; font-weight: 550; text-overflow: ellipsis; border-radius: 8px;
}
select { padding-inline-end: 16px; text-align-last: end; }
.group label:has(select) { position: relative; }
.group label:has(select)::after { content: ''; position: absolute; inset-inline-end: 1px; inline-size: 6px; block-size: 6px; margin-block-start: -3px; border: solid var(--ink-3); border-width: 0 1.5px 1.5px 0; rotate: 45deg; pointer-events: none; }
select option { background: var(--page); color: var(--ink); }
select[data-modified], input[data-modified] { color: var(--accent-text); }
.group :is(select, input):focus-visible { outline-offset: -4px; }
input::-webkit-inner-spin-button { display: none; }
input[type='number'] { -moz-appearance: textfield; }
input::placeholder { color: var(--ink-3); font-weight: 450; opacity: 1; }
input[type='checkbox'] { appearance: none; flex: none; inline-size: 20px; block-size: 20px; margin: 0; border-radius: 6px; box-shadow: inset 0 0 0 1.5px var(--ink-3); display: grid; place-items: center; cursor: pointer; }
input[type='checkbox']:checked { background: var(--fill); box-shadow: inset 0 0 0 1px var(--edge); }
input[type='checkbox']:checked::after { content: ''; inline-size: 9px; block-size: 5px; margin-block-end: 3px; border: solid var(--on-fill); border-width: 0 0 1.75px 1.75px; rotate: -45deg; }
.group label:has(input[type='checkbox']) > span { max-inline-size: none; }
.hint { margin: 0; padding: 2px 8px 0; font-size: 12px; line-height: 18px; color: var(--ink-3); text-align: center; }
.visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 430px) {
  .card { top: 8px; right: 8px; inline-size: calc(100vw - 16px); max-block-size: calc(100dvh - 16px); }
  /* at the top edge, so that it does not cover bottom sheets */
  .tab {
    top: 0; right: calc(12px + var(--slot, 0) * 52px); padding-block-end: 5px; place-items: end center;
    border-radius: 0 0 12px 12px; translate: 0 -20px;
  }
  .tab img { inline-size: 16px; block-size: 16px; }
  .tab::after { inset: auto 8px 0; inline-size: auto; block-size: 2px; border-radius: 2px 2px 0 0; scale: 0 1; }
  .tab b { top: auto; bottom: -6px; }
}
/* iOS zooms into inputs with smaller text */
@supports (-webkit-touch-callout: none) {
  select, .group input:not([type='checkbox']) { font-size: 16px; }
}
@media (prefers-reduced-motion: reduce) {
  .card { animation: appear 75ms; }
  *, *::before, *::after { transition: none !important; }
}
@keyframes appear { from { opacity: 0; } }
@media (forced-colors: active) {
  .card, .tab, .button { border: 1px solid; }
}
@media print {
  .root { display: none; }
}
`
