// Without it the page says to use another login method; with it the passkey form is shown and its script is fetched.

export function enhancePasskeys(): void {
  if (document.querySelector("[data-passkey-login], [data-passkey-new]"))
    void import("#app/enhance/passkey-forms.ts").then(({ enhancePasskeyForms }) => enhancePasskeyForms());
}
