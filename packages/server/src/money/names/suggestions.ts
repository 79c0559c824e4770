import { limits } from '@gatefold/protocol'
import {
  officialZone,
  SuggestionsQuery,
  type SuggestionsResponse,
} from '@gatefold/protocol/gateway'
import { findTaken } from '../../storage/names.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json, RefusedError } from '../requests.ts'
import { isReserved } from './reserved.ts'
import { labelProblem, parseName, readZones } from './zones.ts'

/**
 * `GET /v1/profile/suggestions/{name}`: whether a name is registered, and similar names that are free.
 *
 * @see docs/contracts/gateway.md#names; spec §3.13, §7.9
 */
export function getSuggestions(context: MoneyContext) {
  return handleQuery(context, SuggestionsQuery, async (query, c, project) => {
    const zones = await readZones(context, project)
    const { label } = parseName(c.req.param('name') ?? '', zones)
    const shown = query.zone?.toLowerCase() ?? zones.own
    const zone = shown === officialZone ? zones.shared : shown
    if (zone !== zones.own && zone !== zones.shared)
      throw new RefusedError('zone', `zone must be ${zones.own} or ${officialZone}`)
    const labels = [label, ...similar(label)]
    const taken = await stored(
      findTaken(
        context.storage.db,
        labels.map((it) => `${it}.${zone}`),
      ),
    )
    const isRegistered = (it: string) => taken.has(`${it}.${zone}`) || isReserved(it, zone)
    const body: SuggestionsResponse = {
      suggestions: labels
        .map((it) => ({ name: `${it}.${shown}`, registered: isRegistered(it) }))
        .filter(({ registered }, index) => index === 0 || !registered)
        .slice(0, limits.nameSuggestions),
    }
    return json(body)
  })
}

function similar(label: string): string[] {
  const { nameMaxLength } = limits
  const prefixes = ['the-', 'my-'].map((prefix) => prefix + label)
  const suffixes = ['-eth', '-wallet', '-1', '-2', '-3', '-7', '-11', '-42', '-99', '-100'].map(
    (suffix) => label + suffix,
  )
  return [...suffixes, ...prefixes].filter((it) => it.length <= nameMaxLength && !labelProblem(it))
}
