import { networkReasons as reasons } from '@steading/api/rules'
import type { Answer } from './ask.ts'
import type { Step } from './steps.ts'

/**
 * Conceals the networks that the caller may not see: the answer reveals no more about them than an
 * actual attempt would.
 * @param isVisible whether the caller may see a VPC
 */
export function conceal(answer: Answer, isVisible: (vpcId: string) => boolean): Answer {
  const isForeign = ({ vpc }: Step): boolean => vpc !== null && !isVisible(vpc.id)
  const first = answer.there.findIndex(isForeign)
  if (first === -1 && !answer.back.some(isForeign)) return answer
  const before = answer.there.slice(0, first)
  const entry = answer.there[first]!
  const { source, destination } = entry
  const foreign = [...answer.there, ...answer.back].filter(isForeign)
  const passed = foreign.every((one) => one.passed)
  const reason = passed
    ? reasons.outside.foreignYes(destination)
    : reasons.outside.foreignNo(destination)
  const there = [...before, hidden(entry, { source, destination, passed, reason })]
  if (!passed) {
    const lost = before.find((one) => !one.passed)
    return {
      ...answer,
      reachable: false,
      reason: lost?.reason ?? reason,
      there,
      arrives: false,
      back: [],
    }
  }
  const back = answer.back.filter((one) => !isForeign(one))
  return { ...answer, reason: answer.reachable ? reason : answer.reason, there, back }
}

const hidden = (
  step: Step,
  shown: Pick<Step, 'source' | 'destination' | 'passed' | 'reason'>,
): Step => ({
  ...step,
  kind: 'outside',
  ...shown,
  translation: null,
  vpc: null,
  subnet: null,
  instance: null,
  interface: null,
  direction: null,
  rule: null,
  router: null,
  route: null,
  internet_gateway: null,
  external_ip: null,
  external_subnet: null,
  rules: [],
  routes: [],
})
