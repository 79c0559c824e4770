import { findLabelProblem } from '@gatefold/protocol/gateway'
import type { SuggestionsResponse } from '@gatefold/protocol/gateway'

import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { NameLabelError } from './errors.ts'
import { isName, requestNames } from './names.ts'
import type { Loose } from './names.ts'

// A separate module, because the account view needs only the registered names.

/** Whether a name can be registered. */
export type NameCheck = {
  /** The name with its zone, in lower case. */
  name: string
  /** Whether the name is not registered. */
  isAvailable: boolean
  /** Similar names that are available, with the zone. */
  suggestions: readonly string[]
}

/**
 * Whether a name is available, and similar names that are available. A failed
 * check never counts as available.
 *
 * @param parameters.label - the name without its zone
 * @throws {NameLabelError} the label cannot be a name
 * @throws {GatewayError} the gateway failed, or there is none
 * @example const { isAvailable, suggestions } = await checkName(kit, { label: 'mira' })
 */
export async function checkName(kit: Kit, parameters: checkName.Parameters): Promise<NameCheck> {
  const label = parameters.label.toLowerCase()
  const problem = findLabelProblem(label)
  if (problem) throw new NameLabelError(label, problem)
  const body: Loose<SuggestionsResponse> = await requestNames(
    kit,
    `suggestions/${label}`,
    { signal: parameters.signal },
    'Error fetching name suggestions',
  )
  const [first, ...others] = (Array.isArray(body.suggestions) ? body.suggestions : []).flatMap(
    (item: Loose<SuggestionsResponse['suggestions'][number]> | null) =>
      isName(item?.name) && typeof item.registered === 'boolean'
        ? [{ name: item.name, isAvailable: !item.registered }]
        : [],
  )
  if (!first?.name.startsWith(`${label}.`))
    throw new GatewayError('The gateway sent a malformed list of names.')
  return {
    ...first,
    suggestions: others.filter(({ isAvailable }) => isAvailable).map(({ name }) => name),
  }
}

export declare namespace checkName {
  /** Which name. */
  type Parameters = {
    /** The name without its zone. */
    label: string
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}
