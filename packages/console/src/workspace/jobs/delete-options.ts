import { type JobTargetKind, type JobResourceKind, cascadesOf } from '@steading/api/rules'
import { nounOf } from './job-text.ts'

/** Preliminary step that removes a deletion's obstacles, in singular and plural. */
const chains: Partial<Record<JobTargetKind, { one: string; many: string }>> = {
  instance: { one: 'Stop it first', many: 'Stop running ones first' },
  disk: {
    one: 'Detach it or end its upload first',
    many: 'Detach attached ones and end uploads first',
  },
  floating_ip: { one: 'Detach it first', many: 'Detach attached ones first' },
  external_subnet: { one: 'Detach it first', many: 'Detach attached ones first' },
  vpc: {
    one: 'Delete its subnets and their network interfaces first',
    many: 'Delete their subnets and network interfaces first',
  },
  vpc_subnet: {
    one: 'Delete its network interfaces first',
    many: 'Delete their network interfaces first',
  },
  system_ip_pool: { one: 'Remove its ranges first', many: 'Remove their ranges first' },
  system_subnet_pool: { one: 'Remove its members first', many: 'Remove their members first' },
  project: { one: 'Delete everything in it first', many: 'Delete everything in them first' },
}

const cascadeText = (kind: JobResourceKind, one: boolean): string =>
  kind === 'image'
    ? `Delete images made of ${one ? 'it' : 'them'} too`
    : `Delete ${one ? 'its' : 'their'} ${nounOf(kind).many} too`

/** Options for deleting resources of a kind. */
export const deleteOptions = (kind: JobTargetKind, targets: number) => ({
  chain: chains[kind]?.[targets === 1 ? 'one' : 'many'],
  cascades: cascadesOf(kind).map((each) => ({
    kind: each,
    label: cascadeText(each, targets === 1),
  })),
})
