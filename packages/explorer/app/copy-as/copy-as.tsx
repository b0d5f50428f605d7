import { useState } from 'preact/hooks'
import { CopyButton } from '../controls/copy-button.tsx'
import { Popover } from '../controls/popover.tsx'
import { asCommand, asCurl, asTypeScript, type ShownRequest } from './requests.ts'

const forms = { curl: asCurl, TypeScript: asTypeScript, octavo: asCommand } as const

type Form = keyof typeof forms

export function CopyAs({ request }: { readonly request: ShownRequest }) {
  const [form, setForm] = useState<Form>('curl')
  const text = forms[form](request)
  return (
    <Popover label="Copy as" title="Copy this request">
      <div class="copy-as">
        <p class="choices">
          {(Object.keys(forms) as readonly Form[]).map((each) => (
            <button key={each} class="plain" aria-pressed={each === form} onClick={() => setForm(each)}>
              {each}
            </button>
          ))}
          <CopyButton text={text} />
        </p>
        <pre tabIndex={0} role="region" aria-label="The request">
          {text}
        </pre>
        <p class="faint">
          Set <code>OCTAVO_TOKEN</code> first. The token itself is not copied.
        </p>
      </div>
    </Popover>
  )
}
