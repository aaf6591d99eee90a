export const help = {
  title: "Help",
  topics: {
    find: {
      title: "Find a file or a note",
      text: "Type part of a name, a tag or a line of code into Search. Add lang:, tag: or path: to narrow it.",
      link: "Search",
    },
    notes: {
      title: "Write a note on a line",
      text: "Open a file, press a line number and choose Add note. The note stays with its lines when the file changes.",
      link: "Notes",
    },
    reminders: {
      title: "Set a reminder",
      text: "Choose Remind me on a file or a note, and pick a time. The bell shows what is due, and devices with notifications on get it as well.",
      link: "Notifications",
    },
    sharing: {
      title: "Share a file or a folder",
      text: "Choose Share to create a link that anyone can open. A link can have a password and a last day, and you can revoke it at any time.",
      link: "Links",
    },
    running: {
      title: "Run code",
      text: "Open a Python, JavaScript or TypeScript file and choose Run. You can also try code without saving it.",
      link: "Code tools",
    },
  },
};
