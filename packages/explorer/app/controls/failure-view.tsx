// A refusal is shown in the words of the service. If it names a line to declare, that line can be copied.
import type { Failure } from '../service/api.ts'
import { CopyButton } from './copy-button.tsx'

interface FailureViewProps {
  readonly failure: Failure
  readonly onRetry?: () => void
}

export function FailureView({ failure, onRetry }: FailureViewProps) {
  const declaration = failure.parameters['declaration']
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{failure.name}</strong> {failure.sentence}
      </p>
      {typeof declaration === 'string' && <Declaration text={declaration} />}
      {onRetry !== undefined && <button onClick={onRetry}>Try again</button>}
      {failure.instanceId !== undefined && (
        <p class="faint">
          In the log of the service: <code>{failure.instanceId}</code>
        </p>
      )}
    </div>
  )
}

export const Declaration = ({ text }: { readonly text: string }) => (
  <p class="declaration">
    <code>{text}</code> <CopyButton text={text} />
  </p>
)
