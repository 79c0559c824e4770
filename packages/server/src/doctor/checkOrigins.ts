import { originPatternProblem } from '@gatefold/protocol/gateway'
import { defaultProjectId, type Project } from '../storage/projects.ts'
import type { Finding } from './Finding.ts'

/** Checks which pages may use each project. */
export function checkOrigins(projects: readonly Project[]): Finding[] {
  return projects.filter(({ active }) => active).flatMap(checkProject)
}

function checkProject(project: Project): Finding[] {
  const { id, allowedOrigins, defaultOrigins } = project
  const set = `gatefold project set ${id}`
  const problems: Omit<Finding, 'check'>[] = []
  if (allowedOrigins.length === 0 && !defaultOrigins)
    problems.push({
      status: 'error',
      message: `Project ${id} allows no origin, so every page is rejected.`,
      fix: `${set} --origin https://my.site`,
    })
  for (const origin of allowedOrigins) {
    const problem = originPatternProblem(origin)
    if (problem)
      problems.push({
        status: 'error',
        message: `Project ${id}: ${problem}.`,
        fix: `Set all its origins again: ${set} --origin https://my.site`,
      })
    else if (origin.startsWith('http://') && !isLocal(origin))
      problems.push({
        status: 'warning',
        message: `Project ${id} allows ${origin}: browsers disable Web Crypto on pages without TLS, so WalletConnect fails there.`,
        fix: `Serve the site over https, then ${set} --origin ${origin.replace('http:', 'https:')}`,
      })
  }
  if (allowedOrigins.includes('*'))
    problems.push({
      status: 'warning',
      message: `Project ${id} allows every origin: any site can use up its limits and quota.`,
      fix: `${set} --origin https://my.site`,
    })
  if (defaultOrigins)
    problems.push({
      status: 'warning',
      message: `Project ${id} allows the default origins: anyone can publish a page on these hosts and use up its limits.`,
      fix: `${set} --default-origins off`,
    })
  const host = publicHost(project)
  if (host !== undefined && project.domains.length === 0)
    problems.push({
      status: 'warning',
      message: `Project ${id} has no domain: wallets show its pages as not verified.`,
      fix: `${set} --domain ${host}`,
    })
  if (problems.length > 0) return problems.map((problem) => ({ check: 'origins', ...problem }))
  const note = id === defaultProjectId ? ' (requests without a project id)' : ''
  return [
    {
      check: 'origins',
      status: 'ok',
      message: `Project ${id}${note}: ${allowedOrigins.join(' ')}`,
    },
  ]
}

function isLocal(origin: string) {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin)
}

/** The host of the first origin outside this machine. */
function publicHost({ allowedOrigins }: Project): string | undefined {
  const origin = allowedOrigins.find((origin) => origin !== '*' && !isLocal(origin))
  return origin && /^\w+:\/\/(?:\*\.)?([^:/]+)/.exec(origin)?.[1]
}
