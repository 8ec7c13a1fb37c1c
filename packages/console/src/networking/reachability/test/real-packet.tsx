import type { Args, PacketAnswer, Reachability, SentPacket } from '@steading/api/client'
import { packetProblems } from '@steading/api/rules'
import { CodeXml, Send } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { linkTo } from '../../../data/addresses.ts'
import { useApiMutation } from '../../../data/api.ts'
import { useCapability, useEngine } from '../../../data/capabilities.ts'
import { messageOf } from '../../../data/errors.ts'
import { Banner, ErrorBanner } from '../../../ui/banner.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { showCode } from '../../../ui/confirm.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { formatMoment } from '../../../ui/time.tsx'
import { asCode } from '../../../workspace/as-code/as-code.tsx'
import { call } from '../../../workspace/as-code/steps.ts'
import { routerPage, rulePage, rulesPage } from '../../topology/pages.ts'
import { tellingReason } from '../sentence.ts'

type Props = { project: string; question: Args<'reachabilityPacketSend'> }

/** Sends the packet of a question, and shows its fate beside the answer of the model. */
export function RealPacket({ project, question }: Props) {
  const id = useId()
  const canSend = useCapability('realPackets')
  const problem = useEngine()?.packetProblem ?? packetProblems.unavailable('unknown')
  const { mutate, isPending, data, error, submittedAt } = useApiMutation('reachabilityPacketSend')
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id={id} className="text-base font-medium">
          Real packet
        </h2>
        <div className="flex items-center gap-1">
          {canSend && (
            <IconButton
              label="Show the packet as code"
              icon={<CodeXml size={16} strokeWidth={1.5} aria-hidden />}
              onClick={() =>
                showCode({
                  title: 'Send a real packet',
                  code: () => asCode(call('reachabilityPacketSend', question)),
                })
              }
            />
          )}
          <Button
            icon={<Send size={16} strokeWidth={1.5} aria-hidden />}
            calls="reachabilityPacketSend"
            sends
            loading={isPending}
            disabledReason={!canSend && problem}
            onClick={() => mutate(question)}
          >
            Send a real packet
          </Button>
        </div>
      </div>
      <div aria-live="polite">
        {isPending ? (
          <p className="mt-3 text-secondary">Sent. Waiting for it to arrive…</p>
        ) : (
          data && <Fate project={project} sent={data} at={new Date(submittedAt)} />
        )}
      </div>
      {error && !isPending && (
        <div className="mt-3">
          <ErrorBanner messages={[messageOf(error)]} />
        </div>
      )}
    </section>
  )
}

type Verdict = NonNullable<SentPacket['verdict']>

const answers: Record<PacketAnswer, string> = {
  answered: 'Came back',
  refused: 'A refusal came back',
  silent: 'None',
  lost: 'Lost on the way back',
}

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No')

const modelAnswer = ({ arrives, reachable }: Reachability): string =>
  reachable ? 'Comes back' : arrives ? 'Lost on the way back' : 'None'

function Fate({ project, sent, at }: { project: string; sent: SentPacket; at: Date }) {
  const { model, arrived, answer, outcome, verdict, difference } = sent
  const rows: [label: string, model: ReactNode, packet: ReactNode][] = [
    ['Arrives', yesNo(model.arrives), yesNo(arrived)],
    ['Answer', modelAnswer(model), answer ? answers[answer] : '–'],
    [
      'Decided by',
      tellingReason(model),
      verdict ? (
        <>
          {verdict.reason}
          <Decider project={project} verdict={verdict} />
        </>
      ) : (
        'Not known'
      ),
    ],
  ]
  return (
    <div className="mt-3 flex flex-col gap-3">
      {difference ? (
        <Banner variant="notice" title="Not as configured">
          {difference}
        </Banner>
      ) : (
        <Banner variant={arrived ? 'success' : 'info'}>{outcome}</Banner>
      )}
      <table className="w-full table-fixed text-start text-xs" aria-label="Both answers">
        <thead>
          <tr className="border-b text-secondary">
            <th scope="col" className="w-18">
              <span className="sr-only">Question</span>
            </th>
            <th scope="col" className="py-1.5 pe-3 text-start font-medium">
              By the configuration
            </th>
            <th scope="col" className="py-1.5 text-start font-medium">
              Real packet, {formatMoment(at)}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, byModel, byPacket]) => (
            <tr key={label} className="border-b align-top last:border-b-0">
              <th scope="row" className="py-1.5 pe-2 text-start font-normal text-secondary">
                {label}
              </th>
              <td className="py-1.5 pe-3 wrap-anywhere">{byModel}</td>
              <td className="py-1.5 wrap-anywhere">{byPacket}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A link to what decided. */
function Decider({ project, verdict }: { project: string; verdict: Verdict }) {
  const { by, vpc, rule, router } = verdict
  if (!vpc) return null
  const at = { project, vpc: vpc.name }
  const thing = rule
    ? { label: 'Rule', name: rule.name, href: rulePage(at, rule.name) }
    : router
      ? { label: 'Router', name: router.name, href: routerPage(at, router.name) }
      : by === 'default'
        ? { label: 'Rules of VPC', name: vpc.name, href: rulesPage(at) }
        : undefined
  return (
    thing && (
      <p className="text-secondary">
        {thing.label} <TextLink {...linkTo(thing.href)}>{thing.name}</TextLink>
      </p>
    )
  )
}
