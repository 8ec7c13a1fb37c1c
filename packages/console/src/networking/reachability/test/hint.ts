import type { Reachability, ReachabilityStep } from '@steading/api/client'
import { INTERNET_END, readInstance } from '../ends.ts'
import type { QuestionSearch } from '../search.ts'
import { trafficWords } from '../sentence.ts'

/** A hint how to let the packet through, if it follows from the step that stops it. */
export function hintOf({ from, to }: QuestionSearch, answer: Reachability): string | undefined {
  const lost = [...answer.there, ...answer.back].find(({ passed }) => !passed)
  if (lost) return hintFor(lost, answer)
  const instance = readInstance(to ?? '')?.instance
  return instance && from === INTERNET_END
    ? `From outside, an instance is reached at its floating or ephemeral IP. Attach one to ${instance}.`
    : undefined
}

function hintFor(step: ReachabilityStep, answer: Reachability): string | undefined {
  const { kind, rule, rules, route, source, destination, direction, instance, internetGateway } =
    step
  const name = instance?.name ?? ''
  switch (kind) {
    case 'machine':
      return `The network delivers nothing to an instance that is not running. Start ${name}.`
    case 'firewall': {
      if (!rule) {
        return `To let it through, add an ${direction} rule for ${name} that allows ${trafficWords(answer)} from ${source}.`
      }
      const priority = rules.find(({ id }) => id === rule.id)?.priority
      return `To let it through, change or disable the rule ${rule.name}, or add an ${direction} rule that allows ${trafficWords(answer)} with a priority below ${priority}.`
    }
    case 'route':
      if (route)
        return `To let it through, change the route ${route.name}, or add one with a longer prefix.`
      return `To let it through, add a route to ${destination} to a router of the subnet.`
    case 'gateway':
      if (step.externalIp) return undefined
      return `To let it through, attach a floating or ephemeral IP to ${name}, and its pool to the internet gateway ${internetGateway?.name}.`
    case 'source':
      return `To let it through, add the address to the transit IPs of the interface ${step.interface?.name}.`
    case 'endpoint':
    case 'outside':
    case 'delivery':
      return undefined
  }
}
