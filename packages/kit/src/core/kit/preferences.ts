/** The currency of values and prices, if neither the site nor the visitor chose one. */
export const defaultCurrency = 'USD'

/**
 * The visitor's choices in the account view. Stored, and kept when the visitor
 * disconnects.
 */
export type Preferences = {
  /** The currency of values and prices, as an ISO 4217 code. */
  currency: string
  /** Whether tokens with a small value are listed. @see `limits.smallBalance` */
  showsSmall: boolean
}

/** The default preferences. @param currency - the site's option */
export function defaultPreferences(currency: string = defaultCurrency): Preferences {
  return { currency, showsSmall: false }
}

/** The valid entries of stored preferences. Another script of the page could have changed them. */
export function parsePreferences(value: unknown): Partial<Preferences> {
  const { currency, showsSmall } = (value ?? {}) as { [key in keyof Preferences]?: unknown }
  return {
    ...(isCurrency(currency) && { currency }),
    ...(typeof showsSmall === 'boolean' && { showsSmall }),
  }
}

/** Whether a value has the form of an ISO 4217 code. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value)
}
