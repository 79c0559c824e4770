import { limits } from '@gatefold/protocol'
import { addressOf, limit, readHeader, type HttpContext } from '../../../http/access.ts'
import { readBytes } from '../../../http/input.ts'
import type { Handler } from '../../../http/Role.ts'
import { changeOrder, type StoredOrder } from '../../../storage/onramp.ts'
import { defaultProjectId } from '../../../storage/projects.ts'
import { stored } from '../../../storage/stored.ts'
import { refuse } from '../../requests.ts'
import type { OnrampContext } from '../createOnramp.ts'
import { readOrder, statusOf } from '../order.ts'
import { checkCard, type CardFields } from './cards.ts'
import {
  cardPage,
  confirmPage,
  createAssets,
  expiredPage,
  failedPage,
  missingPage,
  paidPage,
  pendingPage,
  type PageOrder,
} from './pages.ts'
import { sandboxId } from './tokens.ts'

/** Maximum size of the card form, in bytes. */
const maxFormBytes = 4 * 1024

/** The step of an order whose test card needs a confirmation. */
const confirmStep = 'confirm'

/** `GET /onramp/sandbox/{order}`: the page of an order. @see docs/onramp/sandbox.md */
export function getSandboxPage(context: OnrampContext): Handler {
  return async (c) => {
    const limited = limit(context, 'address', addressOf(context, c), 1)
    if (limited) return limited
    const order = await findSandboxOrder(context, c)
    return order ? pageOf(await describe(context, order)) : missingPage()
  }
}

/**
 * `POST /onramp/sandbox/{order}/pay`: the card form, and the confirmation. The
 * amount comes from the order; the form contains no amounts. Card numbers are
 * neither stored nor logged.
 */
export function postSandboxPayment(context: OnrampContext): Handler {
  const { now, onramp, storage } = context
  const { db } = storage
  return async (c) => {
    const limited = limit(context, 'address', addressOf(context, c), 5)
    if (limited) return limited
    const site = readHeader(c, 'sec-fetch-site')
    if (site !== undefined && site !== 'same-origin')
      return refuse(403, { field: 'origin', description: 'only this page may send the form' })
    const order = await findSandboxOrder(context, c)
    if (!order) return missingPage()
    const bytes = await readBytes(c, maxFormBytes)
    if (!bytes) return refuse(413, { field: 'body', description: 'the form is too large' })
    const form = new URLSearchParams(Buffer.from(bytes).toString())
    const read = (name: string) => form.get(name) ?? ''

    /** Only the first of several payments of an order has an effect. */
    const change = async (step: string, changes: Parameters<typeof changeOrder>[3]) =>
      stored(
        changeOrder(db, order.id, { status: ['created'], step, payableAt: now() }, changes, now()),
      )
    const pay = async (step: string, delayMs: number) => {
      await change(step, { status: 'pending', step: '', dueAt: now() + delayMs })
      onramp.sandbox?.payOut()
    }

    const action = read('action')
    if (action === 'cancel')
      await change('', { status: 'failed', reason: 'You canceled the payment.' })
    else if (action === 'approve') await pay(confirmStep, 0)
    else if (action === 'decline')
      await change(confirmStep, {
        status: 'failed',
        step: '',
        reason: 'You declined the payment at your bank.',
      })
    else if (statusOf(order, now()) === 'created' && order.step === '') {
      const fields: CardFields = {
        number: read('number'),
        expiry: read('expiry'),
        code: read('code'),
      }
      const checked = checkCard(fields, now())
      if ('errors' in checked)
        return cardPage(await describe(context, order), { fields, errors: checked.errors })
      if (checked.outcome === 'declined')
        await change('', { status: 'failed', reason: 'The test card was declined.' })
      else if (checked.outcome === 'confirm') await change('', { step: confirmStep })
      else await pay('', checked.outcome === 'slow' ? limits.onrampSandboxSlowMs : 0)
    }
    // Redirects, so that a reload of the next page does not submit the form
    // again.
    return new Response(null, {
      status: 303,
      headers: { location: `/onramp/sandbox/${order.id}`, 'cache-control': 'no-store' },
    })
  }
}

/** `GET /onramp/sandbox/assets/{file}` */
export function getSandboxAssets(context: OnrampContext): { style: Handler; script: Handler } {
  const { style, script } = createAssets()
  const limited = (c: HttpContext) => limit(context, 'address', addressOf(context, c), 1)
  return { style: (c) => limited(c) ?? style(), script: (c) => limited(c) ?? script() }
}

async function findSandboxOrder(
  context: OnrampContext,
  c: HttpContext,
): Promise<StoredOrder | undefined> {
  if (!context.onramp.sandbox) return undefined
  const order = await readOrder(context, c.req.param('order') ?? '')
  return order?.provider === sandboxId ? order : undefined
}

async function describe(context: OnrampContext, order: StoredOrder): Promise<PageOrder> {
  const project = await context.projects.get(order.projectId)
  return {
    order,
    status: statusOf(order, context.now()),
    networkName: context.evmChains.get(order.chainId)?.data.name ?? order.chainId,
    siteName: order.returnUrl
      ? new URL(order.returnUrl).host
      : project && project.id !== defaultProjectId
        ? project.name
        : 'the site',
  }
}

function pageOf(page: PageOrder) {
  if (page.status === 'created')
    return page.order.step === confirmStep ? confirmPage(page) : cardPage(page, undefined)
  if (page.status === 'pending') return pendingPage(page)
  if (page.status === 'paid') return paidPage(page)
  return page.status === 'expired' ? expiredPage(page) : failedPage(page)
}
