import type { Reason } from '@gatefold/protocol/gateway'

export const noRoute: Reason = {
  field: 'to',
  description: 'there is no route between these tokens',
  code: 'no_route',
}

export const lowLiquidity: Reason = {
  field: 'amount',
  description: 'there is too little liquidity for this amount, or the amount is too small',
  code: 'low_liquidity',
}

export const cannotPay: Reason = {
  field: 'userAddress',
  description: 'the router may not spend this amount: the allowance or the balance is too small',
  code: 'low_allowance',
}

/** Maps the text of a refusal to a reason. The text itself is not passed on. */
export function reasonOf(text: unknown): Reason {
  const name = typeof text === 'string' ? text.slice(0, 500) : ''
  if (/allowance|balance/i.test(name)) return cannotPay
  if (/liquidity|too[ _]?small|minimum amount/i.test(name)) return lowLiquidity
  return noRoute
}
