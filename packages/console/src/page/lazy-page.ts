import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'

/**
 * A page in its own file of the bundle: `component: lazyPage(() => import('./x.tsx'), 'XPage')`. Not
 * typed by the module, since pages link to routes and routes name pages.
 */
export function lazyPage(load: () => Promise<unknown>, name: string): RouteComponent {
  return lazyRouteComponent(load as () => Promise<Record<string, never>>, name) as RouteComponent
}
