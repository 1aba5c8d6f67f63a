"""Current Affairs: crews collect trash with the currents and deliver it in port."""
