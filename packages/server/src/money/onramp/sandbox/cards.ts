/** The outcome of a payment with a test card. */
export type CardOutcome = 'pays' | 'declined' | 'confirm' | 'slow'

/** The test cards, whose numbers are known from other payment services. No card outside the list is accepted. */
export const testCards: readonly { number: string; outcome: CardOutcome; about: string }[] = [
  { number: '4242424242424242', outcome: 'pays', about: 'Pays' },
  { number: '4000000000000002', outcome: 'declined', about: 'Is declined' },
  { number: '4000002760003184', outcome: 'confirm', about: 'Asks the bank first' },
  { number: '4000000000000077', outcome: 'slow', about: 'Pays after 10 seconds' },
]

/** The fields of the card form. */
export type CardFields = { number: string; expiry: string; code: string }

export type CardErrors = Partial<Record<keyof CardFields, string>>

/**
 * Checks the card form.
 *
 * @returns the outcome of the payment, or what to correct in which field.
 */
export function checkCard(
  fields: CardFields,
  now: number,
): { outcome: CardOutcome } | { errors: CardErrors } {
  const errors: CardErrors = {}
  const digits = fields.number.replaceAll(/[\s-]/g, '')
  const card = testCards.find(({ number }) => number === digits)
  if (digits === '') errors.number = 'Enter a test card number.'
  else if (!card) errors.number = 'Use one of the test cards. Real cards don’t work here.'
  const expiry = /^(0[1-9]|1[0-2])\s*\/?\s*(\d{2})$/.exec(fields.expiry.trim())
  if (!expiry) errors.expiry = 'Enter month and year.'
  else if (Date.UTC(2000 + Number(expiry[2]), Number(expiry[1])) <= now)
    errors.expiry = 'This date is in the past.'
  if (!/^\d{3,4}$/.test(fields.code.trim())) errors.code = 'Enter 3 or 4 digits.'
  return card && Object.keys(errors).length === 0 ? { outcome: card.outcome } : { errors }
}

/** A card number in groups of four digits. */
export function formatCard(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
