import type { Project } from '../storage/projects.ts'

/** Returns an active project that allows one origin. */
export function testProject(change: Partial<Project> = {}): Project {
  return {
    id: 'default',
    name: 'Default',
    allowedOrigins: ['https://app.example'],
    defaultOrigins: false,
    features: {},
    domains: [],
    zone: null,
    analytics: false,
    confirmDevices: false,
    recovery: ['automatic', 'passkey', 'password'],
    passkeyLogin: true,
    active: true,
    createdAt: 1,
    ...change,
  }
}
