import { describe, expect, test } from 'vitest'
import type { Project } from '../storage/projects.ts'
import { testProject } from '../testing/testProject.ts'
import { frameHeaders, pageHeaders, windowHeaders } from './frameHeaders.ts'

const ancestorsOf = (project: Project | undefined) =>
  /frame-ancestors ([^;]*)$/.exec(frameHeaders(project)['content-security-policy']!)?.[1]

describe('the pages that may frame the document', () => {
  test.each<[string, Partial<Project>, string]>([
    ['an origin', { allowedOrigins: ['https://app.example'] }, 'https://app.example'],
    [
      'a port, subdomains and any port',
      {
        allowedOrigins: ['http://localhost:*', 'https://*.app.example', 'https://app.example:8443'],
      },
      'http://localhost:* https://*.app.example https://app.example:8443',
    ],
    [
      'attack: an entry that would end the directive',
      { allowedOrigins: ['https://a.example; script-src *'] },
      "'none'",
    ],
    ['an inactive project', { active: false }, "'none'"],
    ['no origin', { allowedOrigins: [] }, "'none'"],
  ])('%s', (_, change, ancestors) => {
    expect(ancestorsOf(testProject(change))).toBe(ancestors)
  })

  test('attack: none, for an unknown or inactive project', () => {
    expect(ancestorsOf(undefined)).toBe("'none'")
    expect(ancestorsOf(testProject({ active: false }))).toBe("'none'")
  })

  test('the default origins, if the project allows them', () => {
    expect(ancestorsOf(testProject({ defaultOrigins: true }))).toContain('https://*.vercel.app')
  })
})

test('nothing is loaded from elsewhere, and the document has no permissions except passkeys and copying', () => {
  const headers = frameHeaders(testProject())
  expect(headers['content-security-policy']).toMatchInlineSnapshot(
    `"default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types gatefold-worker; frame-ancestors https://app.example"`,
  )
  expect(headers).not.toHaveProperty('x-frame-options')
  expect(headers['x-content-type-options']).toBe('nosniff')
  const allowed = headers['permissions-policy']!.split(', ').filter((rule) =>
    rule.endsWith('(self)'),
  )
  expect(allowed).toEqual([
    'publickey-credentials-create=(self)',
    'publickey-credentials-get=(self)',
    'clipboard-write=(self)',
  ])
  expect(headers['permissions-policy']).toContain('camera=()')
})

test('attack: no page can embed the settings', () => {
  const headers = pageHeaders()
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/)
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
})

test('attack: no page can embed the window of an approval, which keeps its opener', () => {
  const headers = windowHeaders()
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/)
  expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
})
