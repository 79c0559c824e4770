import * as v from 'valibot'
import type { TypedDataDefinition } from 'viem'
import { RequestError } from './RequestError.ts'

/**
 * A name in a type. EIP-712 joins the names of a struct to one string that is hashed, so a name with other characters
 * could stand for several fields.
 */
const Name = v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]*$/, 'must be a name'))

/** The types of EIP-712 that are no structs. A struct with such a name would be shown as one and signed as the other. */
const plainType = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(?:\d{1,3})?)$/

const Struct = v.pipe(
  v.array(
    v.object({
      name: Name,
      type: v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]*(?:\[\d*\])*$/, 'must be a type')),
    }),
  ),
  v.check(
    (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
    'must not repeat a field',
  ),
)

const TypedData = v.object({
  types: v.pipe(
    v.record(Name, Struct),
    v.check((types) => !Object.keys(types).some((name) => plainType.test(name)), 'must be structs'),
  ),
  primaryType: Name,
  message: v.record(v.string(), v.unknown()),
  domain: v.optional(v.record(v.string(), v.unknown())),
})

/** As many values as an approval may have. Objects that occur several times count each time. */
const maxValues = 10_000

/**
 * Parses the typed data of `eth_signTypedData_v4`, an object or its JSON.
 *
 * @throws {RequestError} if it is not what its types declare, or too large to be shown.
 * @see EIP-712; docs/threats.md#false-statements-of-the-page
 */
export function readTypedData(given: unknown): TypedDataDefinition {
  const value: unknown = typeof given === 'string' ? parseJson(given) : given
  const parsed = v.safeParse(TypedData, value)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const path = v.getDotPath(issue)
    throw new RequestError(
      path === null
        ? 'The typed data must have types, primaryType and message.'
        : `Invalid typed data: ${path} ${issue.message}`,
    )
  }
  checkValues(parsed.output)
  return value as TypedDataDefinition
}

/** Checks that each declared field has a value. */
function checkValues({ types, primaryType, message }: v.InferOutput<typeof TypedData>) {
  const structs = new Map(Object.entries(types))
  let count = 0
  function check(type: string, value: unknown, path: string) {
    count += 1
    if (count > maxValues)
      throw new RequestError(`The typed data has more than ${maxValues} values.`)
    const invalid = (text: string) => new RequestError(`Invalid typed data: ${path} ${text}.`)
    const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
    if (item !== undefined) {
      if (!Array.isArray(value)) throw invalid('must be an array')
      for (const [index, one] of value.entries()) check(item, one, `${path}.${index}`)
      return
    }
    const fields = structs.get(type)
    if (!fields) {
      if (!plainType.test(type)) throw invalid(`has the unknown type ${type}`)
      if (value === undefined) throw invalid('is missing')
      return
    }
    if (!isRecord(value)) throw invalid('must be an object')
    for (const field of fields)
      check(
        field.type,
        Object.hasOwn(value, field.name) ? value[field.name] : undefined,
        `${path}.${field.name}`,
      )
  }
  check(primaryType, message, 'message')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError('The typed data is not JSON.')
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
