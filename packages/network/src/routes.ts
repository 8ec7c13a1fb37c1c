import type { Address, RouteOutcome } from '@steading/api/rules'
import type { DeadRoute, Route, RouteTable } from './model.ts'
import { isIn } from './ranges.ts'

/** The route used for an address. */
export const chooseRoute = ({ routes }: RouteTable, address: Address): Route | undefined =>
  routes.find(({ destination }) => isIn(destination, address))

/** Routes to an address, with the used one first, and routes that are not in effect. */
export function considered(
  table: RouteTable,
  address: Address,
): { route: Route | DeadRoute; outcome: RouteOutcome }[] {
  const [chosen, ...others] = table.routes.filter(({ destination }) => isIn(destination, address))
  const dead = table.dead.map((route) => ({ route, outcome: 'unresolved' as const }))
  if (!chosen) return dead
  const outcomeOf = ({ width, router }: Route): RouteOutcome => {
    if (width < chosen.width) return 'shorter'
    return router.id === chosen.router.id ? 'tie' : 'system'
  }
  return [
    { route: chosen, outcome: 'chosen' },
    ...others.map((route) => ({ route, outcome: outcomeOf(route) })),
    ...dead,
  ]
}
