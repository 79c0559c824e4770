import { index, route, type RouteConfig } from '@react-router/dev/routes'

export default [index('routes/cover.tsx'), route('*', 'routes/missing.tsx')] satisfies RouteConfig
