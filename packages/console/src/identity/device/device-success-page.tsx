import { DeviceFrame } from './device-frame.tsx'

export const DeviceSuccessPage = () => (
  <DeviceFrame title="Device logged in">
    <p className="text-secondary">You can close this window</p>
  </DeviceFrame>
)
