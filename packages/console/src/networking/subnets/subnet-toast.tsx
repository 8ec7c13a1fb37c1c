import { addToast } from '../../ui/toasts.tsx'

export const saidOfSubnet = (name: string, done: 'created' | 'updated') =>
  addToast({
    content: (
      <>
        Subnet <b>{name}</b> {done}
      </>
    ),
  })
