import { linkTo } from '../../../data/addresses.ts'
import type { Reachability, ReachabilityStep, TriedRoute, TriedRule } from '@steading/api/client'
import { routeOutcomes, ruleOutcomes } from '@steading/api/rules'
import { Check, Lightbulb, OctagonX } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { gatewayPage, instancePage, routerPage, rulePage, rulesPage } from '../../topology/pages.ts'
import { stopsOf } from '../../topology/packet-path.ts'
import { Banner } from '../../../ui/banner.tsx'
import { cx } from '../../../ui/cx.ts'
import { TextLink } from '../../../ui/link.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { hintOf } from './hint.ts'
import type { QuestionSearch } from '../search.ts'
import { sentenceOf } from '../sentence.ts'

type Props = {
  project: string
  search: QuestionSearch
  answer: Reachability
  /** Between the answer and its steps. */
  children?: ReactNode
}

/** The answer: a sentence, a hint, and the steps of the forward and return paths. */
export function AnswerView({ project, search, answer, children }: Props) {
  const hint = answer.reachable ? undefined : hintOf(search, answer)
  return (
    <section aria-label="Answer" className="flex flex-col gap-4">
      <div role="status">
        <Banner variant={answer.reachable ? 'success' : 'notice'}>
          {sentenceOf(search, answer)}
        </Banner>
      </div>
      {hint && (
        <p className="flex gap-2.5 px-3 text-secondary">
          <Lightbulb size={16} strokeWidth={1.5} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{hint}</span>
        </p>
      )}
      {children}
      <Way title="The path there" project={project} steps={answer.there} />
      <Way title="The path back" project={project} steps={answer.back} back />
    </section>
  )
}

function Way({
  title,
  project,
  steps,
  back,
}: {
  title: string
  project: string
  steps: ReachabilityStep[]
  /** The return path, whose stops are not shown in the map. */
  back?: true
}) {
  const id = useId()
  if (steps.length === 0) return null
  const stops = stopsOf(steps)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base font-medium">
        {title}
      </h2>
      <ol aria-labelledby={id} className="flex flex-col">
        {stops.map((stop, index) => (
          <li key={index} className="way-stop relative flex gap-3 pb-4">
            <span className="map-stop" data-blocked={stop.blocked || undefined} data-back={back}>
              {index + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              {stop.steps.map((step, at) => (
                <StepView key={at} project={project} step={step} />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function StepView({ project, step }: { project: string; step: ReachabilityStep }) {
  const { passed, reason, translation, rules, routes } = step
  return (
    <div className="flex flex-col gap-1">
      <p className="flex gap-2">
        {passed ? (
          <Check
            size={14}
            strokeWidth={2}
            role="img"
            aria-label="Passed:"
            className="mt-[3px] shrink-0 text-green-text"
          />
        ) : (
          <OctagonX
            size={14}
            strokeWidth={2}
            role="img"
            aria-label="Stopped:"
            className="mt-[3px] shrink-0 text-red-text"
          />
        )}
        <span className={cx('min-w-0 wrap-anywhere', !passed && 'font-medium text-red-text')}>
          {reason}
        </span>
      </p>
      <div className="flex flex-col gap-1 ps-5.5 text-xs empty:hidden">
        <Things project={project} step={step} />
        {translation && (
          <p className="text-secondary">
            From <Code>{translation.source}</Code> to <Code>{translation.destination}</Code> from
            here on
          </p>
        )}
        {rules.length > 0 && <Rules rules={rules} />}
        {routes.length > 0 && <Routes routes={routes} />}
      </div>
    </div>
  )
}

const Code = ({ children }: { children: ReactNode }) => (
  <span className="font-mono tracking-tight">{children}</span>
)

/** Links to the resources involved in a step. */
function Things({ project, step }: { project: string; step: ReachabilityStep }) {
  const { kind, vpc, instance, rule, router, internetGateway } = step
  const things: { label: string; name: string; href: string }[] = []
  const at = { project, vpc: vpc?.name ?? '' }
  if (kind === 'firewall' && rule) {
    things.push({ label: 'Rule', name: rule.name, href: rulePage(at, rule.name) })
  } else if (kind === 'firewall' && vpc && !step.passed) {
    things.push({ label: 'Rules of VPC', name: vpc.name, href: rulesPage(at) })
  } else if (kind === 'route' && router) {
    things.push({ label: 'Router', name: router.name, href: routerPage(at, router.name) })
  } else if (kind === 'gateway' && internetGateway) {
    const { name } = internetGateway
    things.push({ label: 'Internet gateway', name, href: gatewayPage(at, name) })
  } else if (instance && (kind === 'endpoint' || kind === 'machine')) {
    const { name } = instance
    things.push({ label: 'Instance', name, href: instancePage(project, name) })
  }
  return things.map(({ label, name, href }) => (
    <p key={label} className="text-secondary">
      {label} <TextLink {...linkTo(href)}>{name}</TextLink>
    </p>
  ))
}

const summaryClass =
  'inline-flex min-h-6 cursor-pointer items-center rounded-sm text-secondary hover:text-primary'

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`

const Rules = ({ rules }: { rules: TriedRule[] }) => (
  <details>
    <summary className={summaryClass}>{count(rules.length, 'rule')} tried</summary>
    <ol className="mt-1 flex flex-col gap-1" aria-label="Rules tried">
      {rules.map(({ id, name, priority, action, outcome }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-tertiary tabular-nums">{priority}</span>
          <span className={cx('wrap-anywhere', outcome === 'decides' && 'font-medium')}>
            {name}
          </span>
          <Tag>{action}</Tag>
          <span className="text-tertiary">{ruleOutcomes[outcome]}</span>
        </li>
      ))}
    </ol>
  </details>
)

const Routes = ({ routes }: { routes: TriedRoute[] }) => (
  <details>
    <summary className={summaryClass}>{count(routes.length, 'route')} considered</summary>
    <ol className="mt-1 flex flex-col gap-1" aria-label="Routes considered">
      {routes.map(({ id, name, router, destination, target, outcome }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2">
          <span className={cx('wrap-anywhere', outcome === 'chosen' && 'font-medium')}>{name}</span>
          <span className="text-tertiary">of {router.name}</span>
          <span className="text-secondary">
            <Code>{destination.value}</Code> → {target.value ?? target.type}
          </span>
          <span className="text-tertiary">{routeOutcomes[outcome]}</span>
        </li>
      ))}
    </ol>
  </details>
)
