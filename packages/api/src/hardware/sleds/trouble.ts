import type { FencingMethod, FencingState, LeaseHold } from '../host-fencing/rules.ts'
import { asSentence } from '../../rules/texts.ts'

/** How far the fencing of a host is, as clients see it. */
interface HostFencing {
  method: FencingMethod
  automatic: boolean
  state: FencingState
  reason: string | null
  remedy: string | null
  leaseHold: LeaseHold | null
}

/** A notice to operators about a sled. */
interface SledNotice {
  title: string
  /** Sentences with their full stops. */
  text: string
}

const RESTARTS = 'Instances that may restart do so on other sleds'
/** An engine may know of an instance on a silent host that it has ended, which then is not on it. */
const COUNTED = 'Instances still on it count as running'

const withRemedy = (text: string, remedy: string | null): string =>
  remedy === null ? text : `${text} ${remedy}.`

/** About a host whose leases are waited for. */
function leaseTrouble({ reason, remedy, leaseHold }: HostFencing): SledNotice {
  if (leaseHold === 'running_out') {
    return {
      title: 'Waiting for the lease',
      text: `${COUNTED} until the leases of its guests have run out, about three minutes after the host has died. Then they have failed. ${RESTARTS}.`,
    }
  }
  const because = reason === null ? '' : `${asSentence(reason)}. `
  return {
    title: 'The host is not proven dead',
    text: withRemedy(`${because}${COUNTED}, and do not start elsewhere.`, remedy),
  }
}

/** About an added host: nothing on it is lost before something has proven that it is dead. */
function hostTrouble(name: string, fencing: HostFencing): SledNotice {
  const { method, automatic, state, reason, remedy } = fencing
  switch (state) {
    case 'fenced':
      return {
        title: method === 'leases' ? 'The host is fenced' : 'The host was switched off',
        text: `It is proven dead, so its instances have failed. ${RESTARTS}. The sled takes instances again once host ${name} answers and nothing of before runs on it.`,
      }
    case 'fencing': {
      if (method === 'leases') return leaseTrouble(fencing)
      const failed =
        reason === null ? '' : ` The last attempt failed: ${reason}. It is tried again.`
      return {
        title: 'The host is being switched off',
        text: withRemedy(
          `${COUNTED} until its power is off. Then they have failed. ${RESTARTS}.${failed}`,
          remedy,
        ),
      }
    }
    // Its fencing begins a moment after it has fallen silent.
    case 'idle':
    case 'suspect': {
      const next =
        reason !== null
          ? ` It is not fenced: ${reason}.`
          : automatic && method !== 'none'
            ? ' It is called again, and then fenced.'
            : ''
      return {
        title: 'The sled does not respond',
        text: `Host ${name} may be cut off while its guests run on. ${COUNTED}, and start elsewhere only once it is proven dead.${next}`,
      }
    }
  }
}

/**
 * The notice about the instances of a sled that does not respond, or whose host is being proven dead;
 * undefined for any other sled in service.
 */
export function sledTrouble({
  responding,
  host,
  isSimulated,
  hasReplicas,
}: {
  responding: boolean
  /** The added host whose sled it is; null if there is none. */
  host: { name: string; fencing: HostFencing } | null
  /** Whether machines are simulated: they end together with a sled that is no added host. */
  isSimulated: boolean
  hasReplicas: boolean
}): SledNotice | undefined {
  const isProving = host?.fencing.state === 'fencing' || host?.fencing.state === 'fenced'
  if (responding && !isProving) return undefined
  if (host) return hostTrouble(host.name, host.fencing)
  const title = 'The sled does not respond'
  if (!isSimulated) {
    return {
      title,
      text: 'Nothing proves that its instances have ended, so they count as running and do not start elsewhere. If the host is dead, expunge the sled.',
    }
  }
  const rebuilt = hasReplicas ? ', and replicas of disks are rebuilt there' : ''
  return {
    title,
    text: `Its instances have failed. ${RESTARTS}${rebuilt}. When it responds again, instances can be placed on it as before.`,
  }
}
