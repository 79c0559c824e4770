/**
 * Stryker plugin that does not mutate the wording of error and log messages, because tests do not
 * check it: the first argument of `new …Error(…)` and of `super(…)` in an error, the `description` of a refusal's reason, the `hint` of
 * an alert, the hints in `metaMessages`, and all strings in calls to a logger.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'messages',
    value: {
      shouldIgnore(path: Path): string | undefined {
        const isText = path.isStringLiteral() || path.isTemplateLiteral()
        const { node: call, parentPath: outer } = path.parentPath ?? {}
        const property = call?.key?.name
        if (isText && (property === 'description' || property === 'hint'))
          return 'wording of a message'
        if (property === 'metaMessages' || (isText && outer?.node.key?.name === 'metaMessages'))
          return 'wording of a message'
        if (!isText || !call?.callee) return undefined
        const first = call.arguments?.[0] === path.node
        const name = call.callee.name ?? call.callee.property?.name ?? ''
        const isError =
          first &&
          (call.callee.type === 'Super' ||
            (call.type === 'NewExpression' && name.endsWith('Error')))
        const owner = call.callee.object?.name ?? call.callee.object?.property?.name
        return isError || owner === 'log' || owner === 'logger' ? 'wording of a message' : undefined
      },
    },
  },
]

/** The used part of Babel's NodePath. */
type Path = {
  node: Node
  parentPath: Path | null
  isStringLiteral(): boolean
  isTemplateLiteral(): boolean
}
type Node = {
  type: string
  name?: string
  arguments?: Node[]
  callee?: Node
  key?: Node
  object?: Node
  property?: Node
}
