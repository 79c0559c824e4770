import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // Two routes in all: telling the browser about both at once saves a request per navigation.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
