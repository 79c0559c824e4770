import { hash } from 'node:crypto'
import { directionOf, socialResultKeptType, socialResultType } from '@gatefold/protocol/frame'
import { html, raw } from 'hono/html'
import { frameAnswers } from './answers.ts'
import type { PageLanguage } from './pageTexts/readPageLanguage.ts'

const style = `
:root { color-scheme: light dark; --page: #f4f3ef; --card: #fff; --text: #1c1b19; --soft: #55524b; --line: #dedbd2 }
@media (prefers-color-scheme: dark) { :root { --page: #161513; --card: #201f1c; --text: #f3f1ea; --soft: #b5b1a6; --line: #38352f } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(26rem, calc(100vw - 2rem)); padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem }
h1 { margin: 0 0 0.5rem; font-size: 1.25rem }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
dl { margin: 0 0 1.25rem; display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
main > :last-child { margin-bottom: 0 }
form { display: grid; gap: 0.5rem }
button { min-height: 2.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: none; color: inherit; font: inherit; cursor: pointer }
button:first-of-type { border-color: var(--text); background: var(--text); color: var(--card) }
button:disabled { opacity: 0.6; cursor: default }
[role=alert] { margin: 0 }
[role=alert]:empty { display: none }
`

/**
 * The interval in ms at which the result is sent until a frame has kept it, and
 * the maximum number of times. The frame may still be loading.
 */
const sendMs = 200
const maxSends = 100

/**
 * Sends the result of a social login to the frame in the page that opened this
 * one. Only documents of this origin get it. Once the frame has kept it, or has
 * not responded in time, the id of the login is sent to the page, if the page
 * has the expected origin.
 */
const script = `
const main = document.querySelector('main')
const { origin, result, uri, failed, silent, alone } = main.dataset
let sends = 0
const timer = setInterval(send, ${sendMs})
function send() {
  if (sends++ === ${maxSends}) {
    fail(silent)
    return end()
  }
  for (let index = 0; index < opener.length; index += 1)
    opener[index].postMessage({ type: '${socialResultType}', uri: result }, location.origin)
}
function end() {
  clearInterval(timer)
  removeEventListener('message', receive)
  opener.postMessage({ resultUri: uri }, origin)
}
function receive(event) {
  if (event.origin === location.origin && event.data?.type === '${socialResultKeptType}') end()
}
if (opener) {
  addEventListener('message', receive)
  send()
} else {
  clearInterval(timer)
  fail(alone)
}
function fail(lead) {
  main.querySelector('h1').textContent = failed
  main.querySelector('p').textContent = lead
}
`

/** How long the server may take to respond to the form of a mailed link, in ms. */
const formMs = 15_000

/**
 * Sends the form of a mailed link, and shows the page of the response. If the server does not respond, or limits the
 * visitor's requests, the page stays and the visitor can try again.
 */
const formScript = `
const form = document.querySelector('form')
form?.addEventListener('submit', async (event) => {
  const body = new URLSearchParams(new FormData(form, event.submitter))
  event.preventDefault()
  const main = document.querySelector('main')
  const problem = main.querySelector('[role=alert]')
  const setBusy = (isBusy) => {
    for (const button of form.querySelectorAll('button')) button.disabled = isBusy
  }
  const fail = (text) => {
    problem.textContent = text
    setBusy(false)
    event.submitter.focus()
  }
  problem.textContent = ''
  setBusy(true)
  try {
    const signal = AbortSignal.timeout(${formMs})
    const response = await fetch(form.action, { method: 'POST', body, signal })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.querySelector('main')
    if (response.status >= 500 || !next) throw new Error()
    if (response.status === 429) return fail(next.querySelector('p').textContent)
    document.title = page.title
    main.replaceWith(next)
    const heading = next.querySelector('h1')
    heading.tabIndex = -1
    heading.focus()
  } catch {
    fail(main.dataset.failed)
  }
})
`

/** Headers of the pages. No page may frame them. */
const pageHeaders = {
  ...frameAnswers.headers,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With `no-referrer`, the form would be sent with the origin `null`.
  'referrer-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${[script, formScript].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`).join(' ')}`,
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** Headers of the pages behind mailed links, which no page opens. */
const linkHeaders = { ...pageHeaders, 'cross-origin-opener-policy': 'same-origin' }

type LinkPage = {
  language: PageLanguage
  title: string
  lead: string
  facts?: [name: string, value: string][]
  form?: { action: string; token: string; buttons: [answer: string, label: string][] }
}

/** The result of a social login. */
type WindowMessage = {
  /** Origin of the page that may have opened the window. */
  origin: string
  /** The result. Only the frame receives it. */
  result: string
  /** Identifies the login. The page receives it. */
  uri: string
}

/** A page of a mailed link. */
export async function linkPage(page: LinkPage, status = 200, headers: Record<string, string> = {}) {
  return new Response(await toHtml(page), { status, headers: { ...linkHeaders, ...headers } })
}

/**
 * A page in the window of a social login.
 *
 * @param message - sent to the page that opened the window, and to its frame.
 */
export async function windowPage(
  page: Pick<LinkPage, 'language' | 'title' | 'lead'>,
  { status = 200, message }: { status?: number; message?: WindowMessage } = {},
) {
  return new Response(await toHtml({ ...page, message }), { status, headers: pageHeaders })
}

async function toHtml({
  language: { tag, t },
  title,
  lead,
  facts,
  form,
  message,
}: LinkPage & { message?: WindowMessage | undefined }) {
  return html`<!doctype html>
    <html lang="${tag}" dir="${directionOf(tag)}">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      ${raw(`<style>${style}</style>`)}
      <main
        ${
          message &&
          html`data-origin="${message.origin}" data-result="${message.result}"
          data-uri="${message.uri}" data-failed="${t('social.foreign')}"
          data-silent="${t('social.silentLead')}" data-alone="${t('social.aloneLead')}"`
        }
        ${form && html`data-failed="${t('link.failed')}"`}
      >
        <h1>${title}</h1>
        <p>${lead}</p>
        ${
          facts &&
          html`<dl>
            ${facts.map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>`
        }
        ${
          form &&
          html`<form method="post" action="${form.action}">
            <input type="hidden" name="token" value="${form.token}" />
            ${form.buttons.map(
              ([answer, label]) => html`<button name="answer" value="${answer}">${label}</button>`,
            )}
            <p role="alert"></p>
          </form>`
        }
      </main>
      ${message && raw(`<script>${script}</script>`)}
      ${form && raw(`<script>${formScript}</script>`)}
    </html>`
}
