import { ConfigError } from './config.ts'
import type { Context } from './context.ts'
import { createFrameRole, framePaths } from './frame/createFrameRole.ts'
import { createGatewayRole, gatewayPaths } from './gateway/createGatewayRole.ts'
import type { ListenerName, Role, RoleModule } from './http/Role.ts'
import { createMoneyRole, moneyPaths } from './money/createMoneyRole.ts'
import { createRelayRole, relayPaths } from './relay/createRelayRole.ts'
import { createVerifyRole, verifyPaths } from './verify/createVerifyRole.ts'

/** Every role that `gatefold serve` can run, by its name in `--roles`. */
export const roles: Readonly<Record<string, RoleModule<Context>>> = {
  frame: { listener: 'frame', paths: framePaths, create: createFrameRole },
  gateway: { listener: 'main', paths: gatewayPaths, create: createGatewayRole },
  money: { listener: 'main', paths: moneyPaths, create: createMoneyRole },
  relay: { listener: 'main', paths: relayPaths, create: createRelayRole },
  verify: { listener: 'main', paths: verifyPaths, create: createVerifyRole },
}

/** The running roles of a listener, and the paths of all of its roles, including those that do not run in this process. */
export function selectListener(running: ReadonlyMap<string, Role>, listener: ListenerName) {
  const own = Object.entries(roles).filter(([, role]) => role.listener === listener)
  const names = new Set(own.map(([name]) => name))
  return {
    running: new Map([...running].filter(([name]) => names.has(name))),
    paths: Object.fromEntries(own.map(([name, { paths }]) => [name, paths])),
  }
}

/**
 * Returns the selected names in the order of the table; without a selection, all names.
 *
 * @throws {ConfigError} for a name that is not in the table.
 */
export function selectRoles(selected: readonly string[] | undefined): string[] {
  const names = Object.keys(roles)
  const unknown = selected?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ConfigError([
      `GATEFOLD_ROLES names “${unknown}”; expected a comma-separated list of ${names.join(', ')}.`,
    ])
  return names.filter((name) => selected?.includes(name) ?? true)
}

/** Starts roles in order. If one fails, closes those that were already started. */
export async function startRoles(
  names: readonly string[],
  context: Context,
): Promise<Map<string, Role>> {
  const running = new Map<string, Role>()
  try {
    for (const name of names) running.set(name, await roles[name]!.create(context))
    return running
  } catch (error) {
    await closeRoles(running, 0)
    throw error
  }
}

export async function closeRoles(running: ReadonlyMap<string, Role>, graceMs: number) {
  await Promise.all([...running.values()].map(async (role) => role.close(graceMs)))
}
