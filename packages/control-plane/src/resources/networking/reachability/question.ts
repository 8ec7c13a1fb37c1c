import type { Wire } from '@steading/api'
import { isUuid, parseAddress, questionProblems as problems } from '@steading/api/rules'
import {
  type Answer,
  ask,
  compile,
  conceal,
  type Network,
  type Question,
  type QuestionEnd,
} from '@steading/network'
import { may } from '../../../kernel/authz/actor.ts'
import { fail } from '../../../kernel/errors.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { ownerOf, readNetwork, vpcOfInstance } from './rows.ts'

export type QuestionContext = LookupContext<'instance' | 'network_interface' | 'vpc'>

/** @throws ApiError 400 for parts that do not fit together */
function requireSense({ from, to, ...body }: Wire.ReachabilityQuestion): void {
  const { protocol, port, icmp_type, icmp_code, ip_version } = body
  const refuse = (problem: string) => fail.invalidRequest(problem)
  const hasIcmp = (icmp_type ?? icmp_code) != null
  if (protocol === 'icmp' && port != null) throw refuse(problems.portOfIcmp)
  if (protocol !== 'icmp' && port == null) throw refuse(problems.noPort)
  if (protocol !== 'icmp' && hasIcmp) throw refuse(problems.icmpOfPort)
  if (icmp_type == null && icmp_code != null) throw refuse(problems.codeWithoutType)
  const addresses = [from, to].flatMap((end) => (end.type === 'address' ? [end.address] : []))
  const version = ip_version ?? addresses.map((one) => parseAddress(one)!.version)[0]
  for (const address of addresses) {
    if (version && parseAddress(address)!.version !== version) {
      throw refuse(problems.version(address, version))
    }
  }
}

/** Whether the caller may see the network of a project. */
async function maySee({ db, actor }: QuestionContext, projectId: string): Promise<boolean> {
  const project = await findRow(db, 'project', projectId, 'silo_id')
  return project !== undefined && may(actor, 'read', 'vpc', { siloId: project.silo_id, projectId })
}

export interface QuestionSelectors {
  project?: string
  vpc?: string
}

interface Read {
  network: Network
  question: Question
  /** Whether the caller may see a VPC. */
  isVisible: (vpcId: string) => boolean
}

/** A question, with the networks that decide about it. */
export async function readQuestion(
  context: QuestionContext,
  selectors: QuestionSelectors,
  body: Wire.ReachabilityQuestion,
): Promise<Read> {
  requireSense(body)
  const { db } = context
  const parents = { project: selectors.project }
  /** Ids of the VPCs that the caller may see, and of others that the packet may reach. */
  const visible = new Set<string>()
  const all = new Set<string>()
  const see = (vpcId: string | undefined) => {
    if (vpcId === undefined) return
    all.add(vpcId)
    visible.add(vpcId)
  }
  let vpc: string | undefined
  if (selectors.vpc) {
    vpc = (await lookup(context, 'vpc', selectors.vpc, ifNamed(selectors.vpc, parents))).id
    see(vpc)
  }
  const instances: string[] = []
  const resolve = async (end: Wire.ReachabilityEnd): Promise<QuestionEnd> => {
    if (end.type !== 'instance') return end
    const instance = await lookup(context, 'instance', end.instance, ifNamed(end.instance, parents))
    instances.push(instance.id)
    see(await vpcOfInstance(db, instance.id))
    if (!end.interface) return { type: 'instance', instance: instance.id }
    const nic = await lookup(
      context,
      'network_interface',
      end.interface,
      isUuid(end.interface) ? {} : { instance: instance.id },
    )
    if (nic.instance_id !== instance.id) throw fail.invalidRequest(problems.otherInstance)
    return { type: 'instance', instance: instance.id, interface: nic.id }
  }
  const question: Question = {
    ...body,
    from: await resolve(body.from),
    to: await resolve(body.to),
    vpc,
  }
  const addresses = [body.from, body.to].flatMap((end) =>
    end.type === 'address' ? [end.address] : [],
  )
  for (const end of ['from', 'to'] as const) {
    const asked = body[end]
    if (asked.type !== 'address') continue
    const owner = await ownerOf(db, parseAddress(asked.address)!)
    if (!owner) continue
    if (await maySee(context, owner.projectId)) see(owner.vpcId)
    // The caller must not learn what others may send.
    else if (end === 'to') all.add(owner.vpcId)
  }
  if (visible.size === 0 && instances.length === 0) throw fail.invalidRequest(problems.noNetwork)
  const rows = await readNetwork(db, {
    vpcs: [...all],
    instances,
    addresses: addresses.map((address) => parseAddress(address)!),
  })
  return { network: compile(rows), question, isVisible: (id) => visible.has(id) }
}

/** The answer of the model, with the facts that the caller may see. */
export const answerOfModel = ({ network, question, isVisible }: Read): Answer =>
  conceal(ask(network, question), isVisible)
