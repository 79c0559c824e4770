import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, raw } from 'hono/html'
import { commonHeaders } from '../../../http/answers.ts'
import type { StoredOrder } from '../../../storage/onramp.ts'
import { formatCard, testCards, type CardErrors, type CardFields } from './cards.ts'
import { icons } from './icons.ts'

type Html = ReturnType<typeof html>

/** The data that the pages of an order show. */
export type PageOrder = {
  order: StoredOrder
  status: StoredOrder['status']
  networkName: string
  /** The name of the project, and the host of the page to return to. */
  siteName: string
}

/**
 * Headers of the pages. No other site may frame them, and they load nothing
 * from other hosts.
 */
const pageHeaders = {
  ...commonHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
}

/** The card form. */
export function cardPage(
  page: PageOrder,
  filled: { fields: CardFields; errors: CardErrors } | undefined,
) {
  const { order } = page
  const errors = filled?.errors ?? {}
  const values = filled?.fields
  return respond(
    page,
    `Buy ${buys(order)}`,
    html`
      ${spread(page, 'arrow')}
      <h1>Buy ${buys(order)}</h1>
      ${summary(page)}
      <form method="post" action="/onramp/sandbox/${order.id}/pay" novalidate>
        ${field({
          name: 'number',
          label: 'Card number',
          value: values?.number,
          error: errors.number,
          complete: 'cc-number',
          placeholder: '4242 4242 4242 4242',
          maxLength: 23,
        })}
        <div class="pair">
          ${field({
            name: 'expiry',
            label: 'Expires',
            value: values?.expiry,
            error: errors.expiry,
            complete: 'cc-exp',
            placeholder: 'MM / YY',
            maxLength: 7,
          })}
          ${field({
            name: 'code',
            label: 'Security code',
            value: undefined,
            error: errors.code,
            complete: 'cc-csc',
            placeholder: '123',
            maxLength: 4,
          })}
        </div>
        <button class="button primary" name="action" value="pay">Pay ${pays(order)}</button>
        <button class="button quiet" name="action" value="cancel">Cancel</button>
      </form>
      <details class="cards">
        <summary>Test cards</summary>
        <ul>
          ${testCards.map(
            ({ number, about }) =>
              html`<li>
                <button type="button" data-card="${formatCard(number)}">
                  <span class="number">${formatCard(number)}</span>
                  <span class="about">${about}</span>
                </button>
              </li>`,
          )}
        </ul>
        <p>Any future date and any code will do.</p>
      </details>
    `,
    filled ? 422 : 200,
  )
}

/** The page on which a test card's bank asks for a confirmation. */
export function confirmPage(page: PageOrder) {
  const { order } = page
  return respond(
    page,
    'Confirm with your bank',
    html`
      ${spread(page, 'shield')}
      <h1>Confirm with your bank</h1>
      <p class="lead">Your test bank asks whether you are paying ${pays(order)}.</p>
      ${summary(page)}
      <form method="post" action="/onramp/sandbox/${order.id}/pay">
        <button class="button primary" name="action" value="approve">Approve</button>
        <button class="button" name="action" value="decline">Decline</button>
      </form>
    `,
  )
}

/** The page while the tokens are sent. Its script shows the next page once the order has changed. */
export function pendingPage(page: PageOrder) {
  const { order } = page
  return respond(
    page,
    'Sending your tokens',
    html`
      ${spread(page, 'spinner')}
      <h1>Sending ${buys(order)}</h1>
      <p class="lead" role="status">You paid ${pays(order)}. You can close this window.</p>
      ${steps([
        ['done', 'Ordered', `from ${page.siteName}`],
        ['done', `Paid ${pays(order)}`, 'by test card'],
        ['now', 'On its way', `on ${page.networkName}`],
        ['open', 'In your wallet', short(order.account)],
      ])}
      <a class="button" href="/onramp/sandbox/${order.id}">Check again</a>
    `,
  )
}

export function paidPage(page: PageOrder) {
  const { order } = page
  return respond(
    page,
    `${amount(order.receivedAmount)} ${order.symbol} is in your wallet`,
    html`
      ${spread(page, 'check')}
      <h1>${amount(order.receivedAmount)} ${order.symbol} is in your wallet</h1>
      <p class="lead">You paid ${pays(order)} to the sandbox.</p>
      ${summary(page)} ${returnLink(page, 'primary')}
    `,
  )
}

export function failedPage(page: PageOrder) {
  return respond(
    page,
    'The payment failed',
    html`
      ${spread(page, 'cross')}
      <h1>${headingOf(page.order)}</h1>
      <p class="lead">${page.order.reason} No money moved.</p>
      ${summary(page)} ${returnLink(page, 'primary')}
    `,
  )
}

export function expiredPage(page: PageOrder) {
  return respond(
    page,
    'This order has expired',
    html`
      ${spread(page, 'clock')}
      <h1>This order has expired</h1>
      <p class="lead">An order can be paid for 30 minutes. Start again in ${page.siteName}.</p>
      ${summary(page)} ${returnLink(page, 'primary')}
    `,
  )
}

/** The page for an id that belongs to no order. */
export function missingPage() {
  return respond(
    undefined,
    'There is no such order',
    html`
      <h1>There is no such order</h1>
      <p class="lead">It may have been deleted. Start again in the site you came from.</p>
    `,
    404,
  )
}

/** The style sheet and the script of the pages. */
export function createAssets() {
  const folder = join(import.meta.dirname, 'browser')
  const asset = (file: string, type: string) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const headers = {
      ...commonHeaders,
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'same-origin',
    }
    return () => new Response(text, { headers })
  }
  return { style: asset('page.css', 'text/css'), script: asset('page.js', 'text/javascript') }
}

async function respond(page: PageOrder | undefined, title: string, body: Html, status = 200) {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Sandbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/onramp/sandbox/assets/page.css" />
        <script type="module" src="/onramp/sandbox/assets/page.js"></script>
      </head>
      <body
        data-status="${page?.status ?? ''}"
        data-order="${page?.order.id ?? ''}"
        data-project="${page?.order.projectId ?? ''}"
      >
        <main>
          <header>
            <span class="name">Sandbox</span>
            <span class="tag">Test money</span>
          </header>
          ${body}
        </main>
        <footer>Nothing is charged. The tokens come from a faucet on a local chain.</footer>
      </body>
    </html>`
  return new Response(text, { status, headers: pageHeaders })
}

/** Two facing pages: the seller, and the receiving account. The icon between them shows the state. */
function spread({ order, networkName }: PageOrder, icon: keyof typeof icons) {
  return html`<div class="spread" data-icon="${icon}" aria-hidden="true">
    <div class="leaf">
      <span class="art">${raw(icons.card)}</span>
      <span>Test card</span>
    </div>
    <div class="leaf">
      <span class="art coin">${order.symbol.slice(0, 4)}</span>
      <span>${networkName}</span>
    </div>
    <span class="knot">${raw(icons[icon])}</span>
  </div>`
}

function summary({ order, networkName }: PageOrder) {
  return html`<dl class="summary">
    <div>
      <dt>You pay</dt>
      <dd>
        ${pays(order)}
        <span class="about">${money(order.fee, order.paymentCurrency)} fee included</span>
      </dd>
    </div>
    <div>
      <dt>Network</dt>
      <dd>${networkName}</dd>
    </div>
    <div class="account">
      <dt>Goes to</dt>
      <dd><code>${order.account}</code></dd>
    </div>
  </dl>`
}

function field(options: {
  name: keyof CardFields
  label: string
  value: string | undefined
  error: string | undefined
  complete: string
  placeholder: string
  maxLength: number
}) {
  const { name, label, value, error, complete, placeholder, maxLength } = options
  const errorId = `${name}-error`
  return html`<div class="field" data-state="${error ? 'bad' : ''}">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      inputmode="numeric"
      autocomplete="${complete}"
      placeholder="${placeholder}"
      maxlength="${maxLength}"
      value="${value ?? ''}"
      ${error ? raw(`aria-invalid="true" aria-describedby="${errorId}"`) : ''}
    />
    ${error ? html`<p class="error" id="${errorId}">${error}</p>` : ''}
  </div>`
}

function steps(rows: ['done' | 'now' | 'open', string, string][]) {
  return html`<ol class="thread">
    ${rows.map(
      ([state, title, note]) =>
        html`<li data-state="${state}" ${state === 'now' ? raw('aria-current="step"') : ''}>
          <span class="knot" aria-hidden="true"></span>
          <strong>${title}</strong>
          <span>${note}</span>
        </li>`,
    )}
  </ol>`
}

function returnLink({ order, siteName }: PageOrder, kind: string) {
  if (!order.returnUrl) return html`<p class="lead">Close this window to return to ${siteName}.</p>`
  return html`<a class="button ${kind}" href="${order.returnUrl}">Return to ${siteName}</a>`
}

function headingOf({ reason }: StoredOrder): string {
  if (/declined/.test(reason)) return 'Your bank said no'
  return /canceled/.test(reason) ? 'You canceled the payment' : 'The payment failed'
}

const buys = (order: StoredOrder) => `${amount(order.purchaseAmount)} ${order.symbol}`
const pays = (order: StoredOrder) => money(order.paymentTotal, order.paymentCurrency)
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

function money(value: string, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(value))
}

/** An amount of tokens with separators, and at most six decimals. */
function amount(value: string): string {
  return new Intl.NumberFormat('en-US', {
    maximumFractionDigits: 6,
    roundingMode: 'trunc',
  }).format(Number(value))
}
