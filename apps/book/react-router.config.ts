import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // There are only two routes: sending both with the first page saves a request per navigation.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
